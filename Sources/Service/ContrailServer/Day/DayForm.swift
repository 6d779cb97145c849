/// Checks whether a file is of the expected kind. One matching record is sufficient, so single invalid lines are
/// tolerated.
struct DayForm {
  let path: String
  /// A description of the expected documents.
  let expected: String
  private var isRecognised = false
  private var mismatch: DayError?

  init(path: String, expected: String) {
    self.path = path
    self.expected = expected
  }

  /// Records a matching document.
  mutating func recognise() { isRecognised = true }

  /// Records a document that doesn't match.
  mutating func miss(_ found: LooseJSON, at place: String) {
    guard mismatch == nil else { return }
    mismatch = .notWhatItShouldBe(
      file: path, place: place.isEmpty ? "line 1" : place, expected: expected, found: found.kind)
  }

  /// - Throws: The error for the first mismatch, if no document matched.
  func check() throws(DayError) {
    if !isRecognised, let mismatch { throw mismatch }
  }
}
