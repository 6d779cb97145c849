import ContrailTestSupport
import ContrailWire
import Testing

/// The answer to an upload: its number confirms, and its list says what the service keeps from others.
@Suite struct UploadAnswerTests {
  private func read(_ json: String, of reportCount: Int = 4) throws -> UploadAnswer {
    try Array(json.utf8).withUnsafeBytes { try UploadAnswer(json: $0, reportCount: reportCount) }
  }

  /// The answer with a list, as JSON.
  private func body(_ list: String) -> String { #"{"data":{"accepted":2,"quarantined":\#(list)},"meta":{}}"# }

  @Test func anAnswerIsReadAsItWasWritten() throws {
    for seed in UInt64(0)..<200 {
      var random = SplitMix64(seed: seed)
      let count = Int.random(in: 1...500, using: &random)
      var heldBack: [UploadAnswer.HeldBack] = []
      for report in 0..<count where random.chance(20) {
        let reason = random.chance(80) ? UploadAnswer.Reason.allCases.randomElement(using: &random) : nil
        heldBack.append(UploadAnswer.HeldBack(report: report, reason: reason))
      }
      let answer = UploadAnswer(accepted: count - heldBack.count, heldBack: heldBack)
      let read = try answer.json.withUnsafeBytes { try UploadAnswer(json: $0, reportCount: count) }
      #expect(read == answer, "seed \(seed)")
    }
  }

  @Test func anAnswerWithoutAListIsWrittenAsBefore() {
    let json = UploadAnswer(accepted: 3).json
    #expect(String(decoding: json, as: UTF8.self) == #"{"data":{"accepted":3},"meta":{},"links":{},"warnings":{}}"#)
  }

  @Test func aListMayHaveMoreMembers() throws {
    let list = #"[{"report":0,"reason":"outlier"},{"reason":"stuck","report":3,"until":{"at":[1]}}]"#
    #expect(
      try read(#"{"data":{"quarantined":\#(list),"accepted":2},"meta":{}}"#)
        == UploadAnswer(
          accepted: 2, heldBack: [.init(report: 0, reason: .outlier), .init(report: 3, reason: .stuck)]))
  }

  @Test func aReasonOfANewerServiceIsKeptAsAnother() throws {
    let answer = try read(body(#"[{"report":1,"reason":"temperature"},{"report":2,"reason":"rate"}]"#))
    #expect(answer.heldBack == [.init(report: 1, reason: nil), .init(report: 2, reason: .rate)])
    #expect(answer.text == "2 accepted, 2 held back (rate, other)")
  }

  @Test(arguments: [
    // The form of earlier services, and other types.
    "2", "null", "true", #""motion""#, "{}", #"{"report":1,"reason":"motion"}"#, "[1]", "[[]]", "[null]",
    // An index that isn't one of the upload.
    #"[{"report":4,"reason":"motion"}]"#, #"[{"report":-1,"reason":"motion"}]"#, #"[{"report":1.5,"reason":"motion"}]"#,
    #"[{"report":18446744073709551617,"reason":"motion"}]"#, #"[{"report":"1","reason":"motion"}]"#,
    // Members that are missing or of another type.
    #"[{"report":1}]"#, #"[{"reason":"motion"}]"#, #"[{"report":1,"reason":7}]"#, #"[{"report":1,"reason":null}]"#,
    // Another order, the same report twice, and a fault behind a report that is right.
    #"[{"report":2,"reason":"motion"},{"report":1,"reason":"stuck"}]"#,
    #"[{"report":1,"reason":"motion"},{"report":1,"reason":"stuck"}]"#,
    #"[{"report":1,"reason":"motion"},{"report":9,"reason":"stuck"}]"#,
  ]) func aListThatIsNotOfTheUploadIsIgnoredAndTheUploadConfirmed(list: String) throws {
    #expect(try read(body(list)) == UploadAnswer(accepted: 2))
  }

  @Test func aListIsNeverLongerThanTheUpload() throws {
    let list = (0..<5).map { #"{"report":\#($0),"reason":"rate"}"# }.joined(separator: ",")
    #expect(try read(body("[\(list)]"), of: 5).heldBack.count == 5)
    #expect(try read(body("[\(list)]"), of: 4).heldBack.isEmpty)
    #expect(try read(body(#"[{"report":0,"reason":"rate"}]"#), of: 0).heldBack.isEmpty)
  }

  @Test(arguments: [
    "", "<html>Welcome aboard</html>", "{}", #"{"data":{}}"#, #"{"data":{"accepted":-1}}"#,
    #"{"data":{"accepted":"2"}}"#, #"{"data":{"accepted":10001}}"#, #"{"data":{"quarantined":[]}}"#,
    #"{"data":{"accepted":2,"quarantined":[}}"#,
    #"{"data":{"accepted":2,"quarantined":[{"report":1,"reason":"motion"}]}"#,
  ]) func aBodyWithoutTheNumberOrThatIsNoJSONConfirmsNothing(body: String) {
    #expect(throws: WireError.self) { try read(body) }
  }

  @Test func reasonsAreCounted() {
    let reasons: [UploadAnswer.Reason?] = [.stuck, .motion, .stuck, nil]
    let heldBack = reasons.enumerated().map { UploadAnswer.HeldBack(report: $0, reason: $1) }
    #expect(UploadAnswer(accepted: 1, heldBack: heldBack).text == "1 accepted, 4 held back (2 stuck, motion, other)")
    #expect(UploadAnswer(accepted: 1).text == "1 accepted" && UploadAnswer(accepted: 1).reasons == "")
  }
}
