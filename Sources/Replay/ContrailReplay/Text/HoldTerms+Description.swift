import ContrailCore
import ContrailWire

extension HoldTerms {
  /// The longest time, and the records that end it: `up to 50 s, until there is a record that is 60 s old`.
  var words: String {
    let age = ordinarySeconds > 0 ? " that is \(ordinarySeconds) s old" : ""
    guard let urgent else { return "up to \(seconds) s, until there is a record\(age)" }
    let place = altitudes == .all ? "" : " at \(altitudes.words)"
    return "up to \(seconds) s, until there is a report of \(urgent.words) or worse\(place), or another\(age)"
  }

  /// Returns why the server answered a held request.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - since: The watermark of the request.
  ///   - milliseconds: The time from the request to the answer.
  ///   - isShared: Whether requests of other areas were held in the same exchange.
  func ending(_ answer: ObservationsAnswer, since: Int64, after milliseconds: Int64, isShared: Bool) -> String {
    let urgent = answer.reports.count { isUrgent($0) } + answer.pireps.count { isUrgent($0) }
    if urgent > 0 { return "\(Words.count(urgent, "urgent record")) had arrived" }
    // Clocks run at different rates.
    if milliseconds >= seconds * 1000 - 2000 { return "the time had passed" }
    let hasRecords = !answer.reports.isEmpty || !answer.pireps.isEmpty || answer.traffic?.isEmpty == false
    if hasRecords, answer.token - since >= ordinarySeconds {
      return ordinarySeconds > 0 ? "an ordinary record was \(ordinarySeconds) s old" : "a record had arrived"
    }
    return isShared ? "there was news of another area of the exchange" : "the server answered early"
  }
}
