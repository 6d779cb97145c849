#if Online
  import ContrailAirportData
  import ContrailWire

  /// The file of a cycle that a server offers.
  struct ShelvedFile: Hashable, Sendable {
    let cycle: AIRACCycle
    let path: String
    /// Bytes.
    let size: Int
    /// 64 lowercase hexadecimal digits.
    let sha256: String

    /// A part of the file; nil where it hasn't got all of it any more.
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
#endif
