import ContrailCore
import ContrailReplay
import ContrailTestSupport
import Testing

@Suite struct RequestListTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("flight.jsonl")
  }

  /// A flight whose requests are answered, fail, are cancelled and lost; the last is still open.
  private func fly() throws {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.now += 1500
    rig.fail()
    rig.pass(seconds: 2)
    rig.query { $0.polygon = Rig.otherArea }
    rig.now += 70_000
    rig.launch()
    try rig.writeLog(to: path)
  }

  @Test func eachRequestHasItsOutcome() throws {
    try fly()
    #expect(
      try RequestList(path: path).text == """
        REQUEST  TIME        SCOPE     MODE   RULE         OUTCOME               AFTER
              1  t+00:00:00  corridor  full   first        200, 0 B               0 ms
              2  t+00:01:00  corridor  delta  due          network               1.5 s
              3  t+00:01:03  corridor  delta  due          cancelled superseded   0 ms
              4  t+00:01:03  corridor  full   areaChanged  relaunched            1m10s
              5  t+00:02:13  corridor  full   areaChanged  none yet                  –

        """)
  }

  @Test func aLineOfJSONForEachRequest() throws {
    try fly()
    #expect(
      try RequestList(path: path).json.split(separator: "\n").map { $0.split(separator: ",", maxSplits: 5)[5] } == [
        #""rule":"first","status":200,"wireBytes":0,"lapMS":0}"#,
        #""rule":"due","failure":"network","lapMS":1500}"#,
        #""rule":"due","cancelledBy":"superseded","lapMS":0}"#,
        #""rule":"areaChanged","relaunched":true,"lapMS":70000}"#,
        #""rule":"areaChanged"}"#,
      ])
    #expect(
      try RequestList(path: path).json.hasPrefix(
        #"{"request":1,"seq":4,"offsetMS":0,"scope":"corridor","mode":"full","rule":"first","#))
  }

  /// Every request is listed, with the rule that its story tells.
  @Test func theListAgreesWithTheStories() throws {
    try Flights.widened().writeLog(to: path)
    let list = try RequestList(path: path)
    #expect(list.entries.map(\.request) == Array(1...7))
    for entry in list.entries {
      #expect(try RequestStory(path: path, request: entry.request).started == entry.decision)
    }
  }

  @Test func aRecordingWithoutRequests() throws {
    var rig = Rig()
    rig.launch()
    try rig.writeLog(to: path)
    #expect(try RequestList(path: path).text == "The recording has no requests.\n")
    #expect(try RequestList(path: path).json == "")
  }
}
