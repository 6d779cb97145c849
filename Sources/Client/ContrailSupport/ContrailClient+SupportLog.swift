public import Contrail
import ContrailField
import ContrailLog
import ContrailReplay
public import Foundation

extension ContrailClient {
  /// Writes the client's log to a file, for a report to the developer. The client goes on meanwhile.
  ///
  /// ```swift
  /// try await client.exportLog(to: file, since: Date(timeIntervalSinceNow: -86_400))
  /// ```
  ///
  /// A redacted log is the one of `replay redact`: positions, records, texts, keys and sizes are replaced by made-up ones and times are
  /// moved, while every decision stays the same. It is replayed before it is written. `replay run`, `why` and `view` read the file; bodies that are
  /// too large for a line are in the folder `blobs` beside it. No log contains a key or a token.
  ///
  /// - Parameters:
  ///   - file: The file, which must not exist yet. The name ends in `.jsonl`.
  ///   - date: The time of the first line, by the log's clock; nil for the whole log. A snapshot stands for the lines before.
  ///   - isRedacted: Whether the log is redacted. The default is true.
  /// - Throws: ``/ContrailEngine/ClientError`` with `disk` if the log can't be read or the file can't be written, and with `redaction` if the log
  ///   can't be made safe; nothing is written then. That is so for a log in which a day ends after half of its ``/ContrailCore/ByteBudget`` is
  ///   used, and for one in which a cycle of airports takes effect: they would tell the date or the time. Export such a log in parts.
  /// - Complexity: O(bytes of the log) in time, and in memory those from the first line.
  public func exportLog(to file: URL, since date: Date? = nil, redacted isRedacted: Bool = true)
    async throws(ClientError)
  {
    let directory = logDirectory
    let result = await Task.detached(priority: .utility) {
      Result { () throws(ClientError) in
        try Self.export(directory, to: file.path, since: date, isRedacted: isRedacted)
      }
    }.value
    try result.get()
  }

  private static func export(
    _ directory: String, to path: String, since date: Date?, isRedacted: Bool
  ) throws(ClientError) {
    var draft: LogDraft
    do throws(UnreadableRecording) {
      draft = try LogDraft(
        path: directory, from: date.map { .time(Int64(($0.timeIntervalSince1970 * 1000).rounded())) })
    } catch {
      throw ClientError(
        .disk, message: "The log can't be read: \(error)", advice: "Try again, or send the folder of the log.",
        isTransient: true)
    }
    if isRedacted {
      do throws(RedactionError) {
        draft = try Redaction(draft, secret: RedactionSecret()).draft
      } catch {
        throw ClientError(
          .redaction, message: "The log can't be made safe: \(error)",
          advice: "Choose another start, or ask the user for a log that isn't redacted.", isTransient: false)
      }
    }
    do throws(LogError) {
      try draft.write(to: path, replacing: .nothing)
    } catch {
      throw ClientError(
        .disk, message: "The log can't be written: \(error)",
        advice: "Check the free disk space, and choose a file that doesn't exist.", isTransient: true)
    }
  }
}

extension ClientError.Code {
  /// A log can't be redacted.
  public static let redaction = ClientError.Code(rawValue: "redaction")
}
