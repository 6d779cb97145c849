import ContrailAirportData
import ContrailLog
import ContrailWire

/// The airport file of a cycle.
struct ShelvedFile: Hashable, Sendable {
  let cycle: AIRACCycle
  let path: String
  /// The size in bytes.
  let size: Int
  /// The SHA-256 as 64 lowercase hexadecimal digits.
  let sha256: String

  /// Returns a range of bytes, or `nil` if the file no longer contains it.
  func bytes(in range: Range<Int>) -> [UInt8]? { FileBytes.read(path, in: range) }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("cycle")
      json.value(cycle.identifier)
      json.key("effectiveFrom")
      json.value(cycle.effectiveDay.description)
      json.key("effectiveUntil")
      json.value(cycle.endDay.description)
      json.key("size")
      json.value(size)
      json.key("sha256")
      json.value(sha256)
    }
  }
}
