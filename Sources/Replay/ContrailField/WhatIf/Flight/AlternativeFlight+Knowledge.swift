extension AlternativeFlight {
  /// Where the data of an exchange come from.
  struct Knowledge: Sendable {
    /// The bytes of requests and responses, by where they come from.
    var up = Bytes()
    var down = Bytes()
    /// The numbers of exchanges, by the state of the link.
    var recordedExchanges = 0
    var derivableExchanges = 0
    var unknownExchanges = 0
    var gaps: [Coverage.Gap: Double] = [:]
    /// Whether anything differed from the recording.
    var hasDeparted = false

    /// The bytes of one direction.
    struct Bytes: Sendable {
      var recorded = 0.0
      var derivable = 0.0
      var unknown = 0.0
      /// Bytes that the unknown parts may add.
      var missing = 0.0
      /// The variance of the sum of the estimates.
      var variance = 0.0
      /// The sum of the deviations of kinds that the recording doesn't contain: their errors add up.
      var foreign = 0.0

      mutating func add(_ estimate: WireModel.Estimate, known: Double, isLinkKnown: Bool) {
        let bytes = Double(estimate.bytes)
        derivable += isLinkKnown ? bytes * known : 0
        unknown += isLinkKnown ? bytes * (1 - known) : bytes
        missing += bytes * (1 / max(known, 0.05) - 1)
        if estimate.isRecorded {
          variance += estimate.deviation * estimate.deviation
        } else {
          foreign += estimate.deviation
        }
      }
    }
  }
}
