#if Online
  /// What was read from the files of a day, what was left out or mended, and why.
  public struct DayReport: Hashable, Sendable, CustomStringConvertible {
    /// One oddity of a file's records.
    public struct Note: Hashable, Sendable {
      public let oddity: DayOddity
      /// How many records have it.
      public fileprivate(set) var count: Int
      /// Where the first of them stands, such as `line 3, record 17`.
      public let first: String
    }

    /// What one file came to.
    public struct File: Hashable, Sendable {
      public let path: String
      public let kind: DayKind
      /// How many records there are, good and bad.
      public internal(set) var records = 0
      /// How many of them are served.
      public internal(set) var served = 0
      /// How many turbulence reports on hexagons the served ones make.
      public internal(set) var hexagons = 0
      /// In the order in which they were met.
      public private(set) var notes: [Note] = []
      /// When the first served record came, in seconds since 1970.
      public private(set) var oldest: Int64?
      /// When the last served record came, in seconds since 1970.
      public private(set) var newest: Int64?

      init(path: String, kind: DayKind) {
        self.path = path
        self.kind = kind
      }

      /// How many records have an oddity.
      public func count(of oddity: DayOddity) -> Int { notes.first { $0.oddity == oddity }?.count ?? 0 }

      mutating func note(_ oddity: DayOddity, at place: String) {
        if let index = notes.firstIndex(where: { $0.oddity == oddity }) {
          notes[index].count += 1
        } else {
          notes.append(Note(oddity: oddity, count: 1, first: place))
        }
      }

      mutating func serve(arrival: Int64) {
        served += 1
        oldest = min(oldest ?? arrival, arrival)
        newest = max(newest ?? arrival, arrival)
      }
    }

    /// In the order in which they were given, kind by kind.
    public internal(set) var files: [File] = []

    /// One line a file, and one an oddity.
    public var description: String {
      files.map(\.description).joined(separator: "\n")
    }
  }

  extension DayReport.File: CustomStringConvertible {
    public var description: String {
      var lines = ["\(path): \(served) of \(records) \(kind.rawValue) served"]
      if hexagons > 0 { lines[0] += ", with \(hexagons) reports of turbulence on hexagons" }
      if let oldest, let newest {
        lines[0] +=
          oldest == newest ? ", of \(DayTime.text(newest))" : ", \(DayTime.text(oldest)) to \(DayTime.text(newest))"
      }
      for (outcome, title) in [
        (DayOddity.Outcome.leftOut, "left out"), (.mended, "mended  "), (.partLost, "in part "),
      ] {
        for note in notes where note.oddity.outcome == outcome {
          lines.append("  \(title) \(note.count) \(note.oddity.text) (first: \(note.first))")
        }
      }
      return lines.joined(separator: "\n")
    }
  }
#endif
