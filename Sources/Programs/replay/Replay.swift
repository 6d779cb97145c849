import ArgumentParser
import ContrailCore

/// The `replay` command. It reads recordings and never uses the network.
@main
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay recorded flights and compare every decision with the recorded one.",
    discussion: """
      A recording is a log: a .jsonl file, a compressed .jsonl.xz file, or a directory of segments. It contains every \
      input and every decision of the engine. Replaying it produces the same decisions and the same state, or reports \
      the first difference.

      The default subcommand is 'run'. Without a file, it replays every recording in the folder Recordings.

      EXAMPLES
        replay                                      replay every recording
        replay run flight.jsonl --until t+00:41:07  stop at a time
        replay view flight.jsonl --open             look at a flight in the browser
        replay profile flight.jsonl                 where on the route it was rough
        replay export flight.jsonl --to perfetto    for other tools
        replay why flight.jsonl --request 9         why request 9 was sent
        replay inspect flight.jsonl --at 142        the state at seq 142
        replay diff before.jsonl after.jsonl        the first difference
        replay verify log --public-key device.pem   whether a signed log was changed
        replay bytes flight.jsonl                   what each byte was for
        replay check field.jsonl                    what must hold with any server
        replay import field.jsonl -o short          make a test of it
        replay redact field.jsonl -o clean.jsonl    remove whose flight it was
        replay inject flight.jsonl --sweep          an outage at every minute
        replay inevitable flight.jsonl              when an end became certain
        replay cover logs --minimal                 which logs are worth keeping
        replay fold --paths paths.txt               a million flights, a line each
        replay what-if flight.jsonl --width 50      the cost of other settings
        replay advise Recordings                    the settings worth changing
        replay accept flight.jsonl --rule joined --because "types first"

      TIMES
        142                   a seq
        t+01:23:45, 1h23m     since the first line; t+0 is its time
        t-90s, -90s           before it, where that can be
        2025-02-19T22:01:07Z  in UTC

      EXIT STATUS
        0   every recording replays the same
        1   a recording diverged, two recordings differ, or a change was refused
        2   a recording is missing, damaged or unreadable, or an output can't be
            written
        64  invalid arguments

      Commands report the parts of a recording that they skip: a truncated last line, and lines lost by a failed sync.
      """,
    version: "replay \(EngineVersion.current)",
    subcommands: [
      Run.self, View.self, Profile.self, Export.self, Inspect.self, Why.self, Diff.self, Verify.self, Bytes.self,
      Check.self,
      Cover.self,
      Fold.self, Import.self, Inject.self, Inevitable.self, Redact.self, WhatIfCommand.self, Advise.self, Accept.self,
      Bench.self,
      Sample.self,
    ],
    defaultSubcommand: Run.self)
}
