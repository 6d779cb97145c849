import ArgumentParser
import ContrailField
import ContrailLog
import ContrailReplay

struct Redact: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove everything from a log that says whose it is, and keep every decision.",
    discussion: """
      Sessions, entity tags, handles, keys, free text, positions, records, documents and sizes are removed; drawn ones stand for \
      them. Times are moved by years. The redacted log is replayed before it is written: it decides the same. A log that can't be \
      made safe isn't written. The report says what can still be learnt from it.

      EXAMPLES
        replay redact field.jsonl -o clean.jsonl
        replay redact field.jsonl -o clean.jsonl --secret fleet.key

      A secret file makes the result repeatable: logs with the same secret start
      at the same second.

      EXIT STATUS
        0   the redacted log is written
        1   the log can't be made safe, or would decide something else;
            nothing was written
        2   the log can't be read, or the redacted log can't be written
        64  invalid arguments
      """)

  @Argument(help: "The log.", completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "The path of the redacted log.", completion: .file())
  var output: String

  @Option(help: "A file with the secret. Default: random, and not kept.", completion: .file())
  var secret: String?

  @Flag(help: "Replace an existing log.")
  var force = false

  func run() throws {
    let draft = try Self.draft(path: file)
    let redaction = try Self.redaction(of: draft, secret: secret)
    do throws(LogError) {
      try redaction.draft.write(to: output, replacing: force ? .log : .nothing)
    } catch {
      throw Failure(message: "\(error)", exitCode: 2)
    }
    print(redaction.report.text, terminator: "")
  }

  /// Reads a log.
  static func draft(
    path: String, from: TimelinePosition? = nil, until: TimelinePosition? = nil
  ) throws -> LogDraft {
    do throws(UnreadableRecording) {
      let draft = try LogDraft(path: path, from: from, until: until)
      Terminal.note(draft.skipped)
      return draft
    } catch {
      throw Failure.unreadable(error)
    }
  }

  /// Redacts a draft with the secret of a file.
  static func redaction(of draft: LogDraft, secret path: String?) throws -> Redaction {
    var secret = RedactionSecret()
    if let path {
      let bytes: [UInt8]
      do throws(StorageError) {
        bytes = try POSIXStorage().contents(of: path)
      } catch {
        throw Failure(message: "\(path): the secret can't be read: \(error.message)", exitCode: 2)
      }
      guard bytes.count >= 16 else {
        throw Failure(
          message: "\(path): a secret needs at least 16 bytes, such as 'head -c 32 /dev/urandom'.", exitCode: 2)
      }
      secret = RedactionSecret(bytes: bytes)
    }
    do throws(RedactionError) {
      return try Redaction(draft, secret: secret)
    } catch {
      throw Failure(message: "\(error)", exitCode: 1)
    }
  }
}
