#if Online
  import ContrailWire

  extension ServiceError {
    /// A 400 with the fault's own code, in the service's spelling: `ringOpen` is `RING_OPEN`.
    init(_ fault: WireFault) {
      self.init(status: 400, code: Self.spelled(fault.code), message: fault.description)
    }

    /// Words that begin with a capital letter, joined by underscores; a run of capitals is one word.
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
#endif
