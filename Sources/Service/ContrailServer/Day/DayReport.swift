/// The result of reading the files of a recorded day, with the records that were skipped or repaired.
package struct DayReport: Hashable, Sendable, CustomStringConvertible {
  /// A problem of the records in a file.
  package struct Note: Hashable, Sendable {
    package let oddity: DayOddity
    /// The number of affected records.
    package fileprivate(set) var count: Int
    /// The location of the first affected record, such as `line 3, record 17`.
    package let first: String
  }

  /// The result of one file.
  package struct File: Hashable, Sendable {
    package let path: String
    package let kind: DayKind
    /// The number of all records.
    package internal(set) var records = 0
    /// The number of served records.
    package internal(set) var served = 0
    /// The number of turbulence reports on hexagons created from the served records.
    package internal(set) var hexagons = 0
    /// The problems, in the order of their first occurrence.
    package private(set) var notes: [Note] = []
    /// The arrival time of the first served record in seconds since 1970.
    package private(set) var oldest: Int64?
    /// The arrival time of the last served record in seconds since 1970.
    package private(set) var newest: Int64?

    init(path: String, kind: DayKind) {
      self.path = path
      self.kind = kind
    }

    /// Returns the number of records with a problem.
    package func count(of oddity: DayOddity) -> Int { notes.first { $0.oddity == oddity }?.count ?? 0 }

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

  /// The results of the files by kind, in the given order.
  package internal(set) var files: [File] = []

  /// A line per file and a line per problem.
  package var description: String {
    files.map(\.description).joined(separator: "\n")
  }
}

extension DayReport.File: CustomStringConvertible {
  package var description: String {
    var lines = ["\(path): \(served) of \(records) \(kind.rawValue) served"]
    if hexagons > 0 { lines[0] += ", with \(hexagons) turbulence reports on hexagons" }
    if let oldest, let newest {
      lines[0] +=
        oldest == newest ? ", of \(DayTime.text(newest))" : ", \(DayTime.text(oldest)) to \(DayTime.text(newest))"
    }
    for (handling, title) in [
      (DayOddity.Handling.leftOut, "skipped "), (.mended, "repaired"), (.partLost, "partial "),
    ] {
      for note in notes where note.oddity.handling == handling {
        lines.append("  \(title) \(note.count) \(note.oddity.text) (first: \(note.first))")
      }
    }
    return lines.joined(separator: "\n")
  }
}
