/// Something that isn't to be written, and what to write instead.
struct Ban {
  struct Word: ExpressibleByStringLiteral {
    let text: String
    /// Whether it is meant only where it stands alone: `open(` and not `storage.open(`.
    var isFree = false

    init(stringLiteral text: String) { self.text = text }

    static func free(_ text: String) -> Word {
      var word = Word(stringLiteral: text)
      word.isFree = true
      return word
    }
  }

  let words: [Word]
  let instead: String
  /// The targets it holds for; nil for all.
  var targets: Set<String>?
  /// Files that may, each for a reason that is written beside it.
  var except: Set<String> = []

  func isBroken(in file: SourceFile) -> [String] {
    guard targets?.contains(file.target) ?? true, !except.contains(file.path) else { return [] }
    return words.flatMap { word in
      file.lines(with: word).map { "\(file.path):\($0): '\(word.text)' is banned here. Instead: \(instead)" }
    }
  }
}
