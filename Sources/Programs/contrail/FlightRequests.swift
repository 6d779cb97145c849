import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailWire

/// The outcome of the requests of a recorded flight.
struct FlightRequests {
  /// The number of requests that succeeded.
  private(set) var answered = 0
  /// The number of failed requests by code: an HTTP status, a transport failure such as `network`, or `notJSON` for a
  /// response body that isn't JSON, such as an HTML page.
  private(set) var failures: [String: Int] = [:]

  var failedCount: Int { failures.values.reduce(0, +) }
  /// Whether the flight sent requests and all of them failed.
  var haveAllFailed: Bool { answered == 0 && failedCount > 0 }

  /// The failures as text, such as `503 × 10, network × 7`.
  var failuresText: String {
    failures.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
  }

  /// Counts the requests of a recording.
  ///
  /// - Parameter path: The path of a recording in one file. Its blobs are in the folder beside it.
  /// - Throws: ``LogError`` if the recording can't be read.
  /// - Complexity: O(*n*) in the size of the file; one line in memory.
  init(recordingAt path: String) throws(LogError) {
    let reader = try LogReader(path: path)
    let blobs = BlobStore(ofLogAt: path)
    while let line = try reader.next() {
      let kind = Kind(rawValue: line.kindName)
      guard kind == .responseReceived || kind == .responseFailed else { continue }
      if let code = try Self.failure(Self.members(line.payload), blobs) {
        failures[code, default: 0] += 1
      } else {
        answered += 1
      }
    }
  }

  /// The members of a log line that describe the end of a request.
  private struct Members {
    var status: Int64?
    var error: String?
    var blob: String?
  }

  private static func members(_ payload: UnsafeRawBufferPointer) -> Members {
    var members = Members()
    var json = JSONReader(payload)
    // The recorder wrote the line, so it is valid JSON.
    do throws(JSONError) {
      try json.members { (key, json) throws(JSONError) in
        switch key.string {
        case "status": members.status = try json.int64()
        case "error": members.error = try json.string()
        case "blob": members.blob = try json.string()
        default: try json.skipValue()
        }
      }
    } catch {}
    return members
  }

  /// Returns the failure code of a request, or `nil` if it succeeded.
  private static func failure(_ members: Members, _ blobs: BlobStore) throws(LogError) -> String? {
    guard let status = members.status else { return members.error ?? "unknown" }
    guard (200..<300).contains(status) || status == 304 else { return String(status) }
    guard let blob = members.blob.flatMap(BlobStore.ID.init) else { return nil }
    return Input.Body.isJSON(try blobs.bytes(of: blob)) ? nil : "notJSON"
  }
}
