import ContrailWire

extension ServiceError {
  /// Creates a 400 error with the code of a fault in upper case: `ringOpen` becomes `RING_OPEN`.
  init(_ fault: WireError) {
    self.init(status: 400, code: Self.spelled(fault.code), message: fault.description)
  }

  /// Converts camel case to upper case with underscores. A sequence of capital letters is one word.
  static func spelled(_ code: String) -> String {
    var result = ""
    var previousIsUpper = true
    for character in code {
      if character.isUppercase && !previousIsUpper { result += "_" }
      result += character.uppercased()
      previousIsUpper = character.isUppercase
    }
    return result
  }
}
