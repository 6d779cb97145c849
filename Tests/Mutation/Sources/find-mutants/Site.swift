/// A place of a source file, and its mutants, which are written together.
struct Site: Encodable {
  /// Text that replaces a part of the file.
  struct Edit: Encodable {
    var start: Int
    var end: Int
    /// The new text. `{0}` is the number of the first mutant, and `{operator}` is its operator.
    var text: String
  }

  var start: Int
  var end: Int
  /// A description of each mutant.
  var mutations: [String]
  var edits: [Edit]
  /// The kind and the name of the operator that is replaced, as `comparison <`.
  var declaration: String?
  /// Whether the place may enclose others.
  var wraps = false

  /// Returns the place with other offsets.
  func moved(_ offset: (Int) -> Int) -> Site {
    var copy = self
    copy.start = offset(start)
    copy.end = offset(end)
    copy.edits = edits.map { Edit(start: offset($0.start), end: offset($0.end), text: $0.text) }
    return copy
  }
}
