import ArgumentParser

/// The offline harness: it reads recordings, and never the network.
@main
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Fold recorded flights again and compare every decision with the one that was taken.",
    discussion: """
      A recording is a log: a .jsonl file, a sealed .jsonl.xz, or a directory of segments. It holds every input that the \
      engine saw and every decision that it took, so folding it gives the same decisions and the same state, or shows \
      the first place where it doesn't.

      Without a subcommand, 'run' is meant; without a file, every recording in the folder Recordings.

      EXAMPLES
        replay                                      replay every recording
        replay run flight.jsonl --until t+00:41:07  stop at a time
        replay why flight.jsonl --request 9         why was it a full one?
        replay inspect flight.jsonl --at 142        what was held at seq 142
        replay diff before.jsonl after.jsonl        the first that differs
        replay accept flight.jsonl --rule P08 --because "types count more"

      TIMES
        142                   a seq
        t+01:23:45, +83m      counted from the first line
        2025-02-19T22:01:07Z  in UTC

      EXIT STATUS
        0   every recording is the same
        1   a recording diverged, two differ, or a change isn't accepted
        2   a recording can't be read, is damaged, or isn't there; or an output can't be written
        64  the command line is wrong

      What a command leaves out of a recording, it says: a last line that was cut short, and lines that a failed sync lost.
      """,
    version: "replay 0.1",
    subcommands: [Run.self, Inspect.self, Why.self, Diff.self, Verify.self, Accept.self, Bench.self, Sample.self],
    defaultSubcommand: Run.self)
}
