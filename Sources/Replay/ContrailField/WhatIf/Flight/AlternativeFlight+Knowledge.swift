extension AlternativeFlight {
  /// Where the data of an exchange come from.
  struct Knowledge: Sendable {
    /// The bytes of requests and responses, by where they come from.
    var up = Bytes()
    var down = Bytes()
    /// The numbers of exchanges, by what is known of the link, and of held ones, of the news that ends them.
    var recordedExchanges = 0.0
    var derivableExchanges = 0.0
    var unknownExchanges = 0.0
    var gaps: [Coverage.Gap: Double] = [:]
    /// Whether anything differed from the recording.
    var hasDeparted = false

    mutating func add(_ bytes: PlannedDeliveries.PendingBytes) {
      if bytes.isRecorded {
        up.recorded += Double(bytes.up.bytes)
        down.recorded += Double(bytes.down.bytes)
        recordedExchanges += 1
        return
      }
      // News that the recording doesn't contain would have ended a held request, and others would have followed.
      let known = bytes.isHeld ? bytes.share.known : 1
      up.add(bytes.up, known: bytes.isUpKnown ? known : 0, isLinkKnown: bytes.isLinkKnown)
      down.add(bytes.down, known: bytes.share.known, isLinkKnown: bytes.isLinkKnown)
      if let gap = bytes.share.gap { gaps[gap, default: 0] += 1 - bytes.share.known }
      if bytes.isLinkKnown {
        derivableExchanges += known
        unknownExchanges += 1 - known
      } else {
        unknownExchanges += 1
        gaps[.link, default: 0] += 1
      }
    }

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
