#if Online
  /// Whether a file is of the kind that it was given as: it is where any part of it is, so that one bad line is no more than that.
  struct DayForm {
    let path: String
    /// What the kind's documents are, in words.
    let expected: String
    private var isRecognised = false
    private var mismatch: DayError?

    init(path: String, expected: String) {
      self.path = path
      self.expected = expected
    }

    /// Something of the kind was met.
    mutating func recognise() { isRecognised = true }

    /// Something else was met.
    mutating func miss(_ found: LooseJSON, at place: String) {
      guard mismatch == nil else { return }
      mismatch = .notWhatItShouldBe(
        file: path, place: place.isEmpty ? "line 1" : place, expected: expected, found: found.kind)
    }

    /// - Throws: What was met first, where nothing is of the kind.
    func check() throws(DayError) {
      if !isRecognised, let mismatch { throw mismatch }
    }
  }
#endif
