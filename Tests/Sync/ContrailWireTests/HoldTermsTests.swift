import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// What a request says of how long it may be held.
@Suite struct HoldTermsTests {
  @Test(arguments: [
    ("wait=50", 50), ("wait=1", 1), ("respond-async, wait=100", 100), ("Wait = 7;foo", 7), ("wait=\"9\"", 9),
    ("wait=999999", 3600),
  ]) func thePreferenceIsRead(field: String, seconds: Int64) {
    #expect(HoldTerms.wait(field) == seconds)
  }

  @Test(arguments: [nil, "", "respond-async", "wait", "wait=", "wait=x", "wait=-5", "wait=0", "waiting=5"])
  func anotherPreferenceIsIgnored(field: String?) {
    #expect(HoldTerms.wait(field) == nil)
  }

  @Test func severalAreasSayTheSameOnce() throws {
    let hold = HoldTerms(
      seconds: 50, urgent: .moderate, altitudes: AltitudeBand(lower: 29, upper: 41) ?? .all, ordinarySeconds: 60)
    let requests = ["k3", "k4"].map { AreaRequest(handle: $0, since: 1_740_000_060, hold: hold) }
    let target = AreaRequest.target(of: requests)
    #expect(target == "/areas/k3~k4?since=1740000060&urgent=3&urgentAlts=29-41&by=60")
    let items = target.split(separator: "?")[1].split(separator: "&").map { item in
      let sides = item.split(separator: "=").map(String.init)
      return (name: sides[0], value: sides[1])
    }
    #expect(try AreaRequest.requests(handles: "k3~k4", items: items, wait: 50) == requests)
    // Without the preference, the request is answered at once.
    #expect(try AreaRequest.requests(handles: "k3~k4", items: items).allSatisfy { $0.hold == nil })
  }

  @Test(arguments: [("urgent", "9"), ("urgent", ""), ("by", "-1"), ("by", "4000"), ("urgentAlts", "41-29")])
  func anInvalidValueIsNamed(name: String, value: String) {
    #expect(throws: WireError.parameter(name, value: value)) {
      try AreaRequest(handle: "k3", items: [(name: name, value: value)], wait: 5)
    }
  }

  @Test func severityAndAltitudeDecideWhatIsUrgent() {
    let terms = HoldTerms(seconds: 50, urgent: .moderate, altitudes: AltitudeBand(lower: 29, upper: 41) ?? .all)
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let report = ModelServer.report(at: 1_740_000_000, using: &random)
      #expect(terms.isUrgent(report) == (report.severityCode >= 3 && (29...41).contains(report.altitude)))
      #expect(!HoldTerms(seconds: 50).isUrgent(report))
    }
  }

  @Test(arguments: [(0 as Int64, ""), (1, "&by=1"), (2, "&by=2")])
  func ordinaryNewsMayBeWantedAtOnce(seconds: Int64, query: String) throws {
    let request = AreaRequest(handle: "k3", since: 9, hold: HoldTerms(seconds: 50, ordinarySeconds: seconds))
    #expect(AreaRequest.target(of: [request]) == "/areas/k3?since=9" + query)
    let items = [(name: "since", value: "9"), (name: "by", value: "\(seconds)")]
    #expect(try AreaRequest.requests(handles: "k3", items: items, wait: 50) == [request])
  }

  @Test func aPilotReportIsUrgentByItsSeverityOrByItself() throws {
    let place = try #require(FixedCoordinate(Coordinate(latitude: 50, longitude: -30)))
    func pirep(_ severity: TurbulenceSeverity?, isUrgent: Bool = false, level: Int? = 350) -> PIREP {
      PIREP(
        id: "P1", position: place, flightLevel: level, severity: severity, isUrgent: isUrgent, observedAt: 1,
        updatedAt: 2, text: "")
    }
    let terms = HoldTerms(seconds: 50, urgent: .moderate, altitudes: AltitudeBand(lower: 29, upper: 41) ?? .all)
    #expect(terms.isUrgent(pirep(.moderate)) && terms.isUrgent(pirep(nil, isUrgent: true)))
    #expect(terms.isUrgent(pirep(.moderateSevere, level: nil)))
    #expect(
      !terms.isUrgent(pirep(.light)) && !terms.isUrgent(pirep(nil)) && !terms.isUrgent(pirep(.moderate, level: 90)))
    // The nearest thousand feet counts.
    let levels = [284, 285, 414, 415].filter { terms.isUrgent(pirep(.moderate, level: $0)) }
    #expect(levels == [285, 414])
  }
}
