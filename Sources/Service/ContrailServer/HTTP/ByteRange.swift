/// The requested part of a file (RFC 9110, 14).
enum ByteRange: Equatable, Sendable {
  /// The whole file, because no valid range is requested.
  case whole
  /// A range of bytes.
  case part(Range<Int>)
  /// A range outside the file.
  case unsatisfiable

  /// Parses `Range`: `bytes=500-999`, `bytes=500-` or `bytes=-500`. Multiple ranges are treated as the whole file,
  /// which HTTP allows.
  init(_ field: String?, count: Int) {
    self = .whole
    guard let field, field.lowercased().hasPrefix("bytes=") else { return }
    let range = field.dropFirst(6).filter { $0 != " " && $0 != "\t" }
    let ends = range.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, !range.contains(","), ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
    else { return }
    // A number that overflows is beyond the end of every file.
    let (first, last) = (ends[0].isEmpty ? nil : Int(ends[0]) ?? .max, ends[1].isEmpty ? nil : Int(ends[1]) ?? .max)
    switch (first, last) {
    case (let first?, let last?):
      guard first <= last else { return }
      self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
    case (let first?, nil): self = first < count ? .part(first..<count) : .unsatisfiable
    case (nil, let length?): self = length > 0 && count > 0 ? .part(max(count - length, 0)..<count) : .unsatisfiable
    case (nil, nil): return
    }
  }
}
