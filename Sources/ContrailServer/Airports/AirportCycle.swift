#if Online
  import ContrailWire

  /// A cycle of aeronautical data: 28 days, named by year and number such as `2511` (AIRAC, ICAO Annex 15).
  struct AirportCycle: Hashable, Sendable {
    /// Four digits.
    let name: String
    /// Days since 1970 of the date on which it becomes effective.
    let effectiveDay: Int64

    /// Days of a cycle.
    static let days: Int64 = 28
    /// Days since 1970 of 2024-01-25, when cycle 2401 became effective: all others are whole cycles away.
    private static let reference: Int64 = 19_747

    /// Reads a name; nil where it is none, or the year has no such cycle. Years are 1998 to 2097.
    init?(_ name: String) {
      guard name.utf8.count == 4, name.utf8.allSatisfy({ (48...57).contains($0) }), let digits = Int64(name) else {
        return nil
      }
      let (year, number) = (digits / 100, digits % 100)
      let firstDay = DayTime.days(year: year >= 98 ? 1900 + year : 2000 + year, month: 1, day: 1)
      let next = DayTime.days(year: year >= 98 ? 1901 + year : 2001 + year, month: 1, day: 1)
      let phase = ((Self.reference - firstDay) % Self.days + Self.days) % Self.days
      effectiveDay = firstDay + phase + (number - 1) * Self.days
      guard number >= 1, effectiveDay < next else { return nil }
      self.name = name
    }
  }

  /// The file of a cycle.
  struct AirportFile: Hashable, Sendable {
    let cycle: AirportCycle
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
        json.value(cycle.name)
        json.key("effectiveFrom")
        json.value(DayTime.date(days: cycle.effectiveDay))
        json.key("effectiveUntil")
        json.value(DayTime.date(days: cycle.effectiveDay + AirportCycle.days))
        json.key("size")
        json.value(size)
        json.key("sha256")
        json.value(sha256)
      }
    }
  }
#endif
