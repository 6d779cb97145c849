import ContrailCore
import ContrailGeodesy
import ContrailTestSupport
import ContrailWire
import Testing

/// What a client asks of a service of which only the public pages are known.
@Suite struct ServiceProfileTests {
  private static let service = ServiceProfile.corridorV5()

  private static func session(_ service: ServiceProfile = service, hasWeatherService: Bool = false) -> Input {
    .sessionStarted(
      .init(engine: "test", id: "s", seed: 7, service: service, hasWeatherService: hasWeatherService))
  }

  /// Online, before any query.
  private static func online(hasWeatherService: Bool = false) -> Rig {
    var rig = Rig()
    rig.send(session(hasWeatherService: hasWeatherService))
    rig.send(.connectivityChanged(isOnline: true))
    return rig
  }

  /// Answers as the public pages show it: no count, no checksum, and nothing of the watermark that a delta follows.
  private static func answer(_ rig: inout Rig, ages: [Int64]) -> [String] {
    let second = rig.now / 1000
    return rig.answer {
      let hexagons = ages.map {
        #"{"id":"85283083fffffff","alt":38,"sev":2,"edr":0.1121,"observedAt":\#(second - $0)}"#
      }
      let data = #"{"lastUpdatedAt":\#(second),"hexagons":[\#(hexagons.joined(separator: ","))]}"#
      $0.serverTimeMS = nil
      $0.body = .inline(Array(#"{"data":\#(data),"meta":{},"links":{},"warnings":{}}"#.utf8))
    }
  }

  private static func body(_ rig: Rig, _ id: ScopeID = .corridor) -> String? {
    rig.state.outgoingRequest(id).map { String(decoding: $0.body, as: UTF8.self) }
  }

  // MARK: Requests

  @Test func aRequestHasTheMembersAndFieldsOfThePublicPagesAlone() throws {
    var rig = Self.online()
    #expect(rig.query { $0.polygon = Rig.area } == ["corridor full first"])
    let ring = "[[-40,40],[-30,40],[-30,50],[-40,50],[-40,40]]"
    let corridor = #"{"corridor":{"type":"Polygon","coordinates":[\#(ring)]},"#
    #expect(Self.body(rig) == corridor + #""hours":2,"aircraftCategory":"C60","altFrom":5,"altTo":52}"#)
    let request = try #require(rig.state.outgoingRequest(.corridor))
    #expect(request.method == .post && request.target == "/observations/v5/corridor" && !request.acceptsCompact)
    for isSecure in [false, true] {
      let (target, fields) = OutgoingRequest.head(of: [request], isSecure: isSecure)
      #expect(target == "/observations/v5/corridor")
      #expect(
        fields.map { "\($0.name): \($0.value)" }
          == ["Accept: application/json", "Accept-Encoding: gzip", "Content-Type: application/json"])
    }
    _ = Self.answer(&rig, ages: [100])
    let watermark = rig.now / 1000
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
    #expect(
      Self.body(rig)
        == corridor + #""lastUpdatedAt":\#(watermark),"hours":2,"aircraftCategory":"C60","altFrom":5,"altTo":52}"#)
  }

  @Test func aLongBodyIsNotCompressed() throws {
    var rig = Self.online()
    let points: [FixedCoordinate?] = (0..<249).map {
      let longitude = Int64($0 < 125 ? $0 : 248 - $0) * 1_000_000
      return FixedCoordinate(latitudeE7: $0 < 125 ? 400_000_000 : 500_000_000, longitudeE7: longitude)
    }
    rig.query { $0.polygon = points + [points[0]] }
    let request = try #require(rig.state.outgoingRequest(.corridor))
    #expect(request.body.count > 4 * OutgoingRequest.packedFromBytes && !request.packsBody)
  }

  @Test func historyAltitudesAndCategoryAreThoseThatWereChosen() {
    var rig = Rig()
    rig.send(Self.session(.corridorV5(aircraftCategory: "C20")))
    rig.send(.historyChanged(.halfHour))
    rig.query {
      $0.polygon = Rig.area
      $0.altitudes = .init(lower: 1000, upper: 41_000)
      $0.severities = SeveritySet([.moderate])
    }
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor full first"])
    #expect(Self.body(rig)?.hasSuffix(#""hours":0.5,"aircraftCategory":"C20","altFrom":5,"altTo":41}"#) == true)
  }

  // MARK: Answers

  @Test func deltasThatNameNoWatermarkAreAddedToWhatIsHeld() {
    var rig = Self.online()
    rig.query { $0.polygon = Rig.area }
    #expect(Self.answer(&rig, ages: [100, 200]) == [])
    rig.pass(seconds: 60)
    #expect(Self.answer(&rig, ages: [30]) == [])
    #expect(rig.state.scope(.corridor)?.reports.count == 3 && rig.state.droppedAnswers == 0)
    #expect(rig.state.scope(.corridor)?.have?.condition == .sound && rig.unrest == [])
    // Everything is fetched after a time for which a delta may not reach back.
    rig.send(.connectivityChanged(isOnline: false))
    rig.now += 3 * 3_600_000
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor full expired"])
    #expect(Self.answer(&rig, ages: [30]) == [])
    #expect(rig.state.scope(.corridor)?.reports.count == 1)
  }

  @Test func aServiceOfContrailMustNameTheWatermark() {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    _ = Self.answer(&rig, ages: [100])
    rig.pass(seconds: 60)
    #expect(Self.answer(&rig, ages: [30]) == ["corridor full followsDiffers"])
  }

  // MARK: What the service doesn't have

  @Test func typesHistoryAndWeatherThatTheServiceLacksAreToldOnceAndTheRestIsFetched() throws {
    var rig = Self.online()
    let told = rig.query {
      $0.polygon = Rig.area
      $0.types = [.turbulence, .pireps, .traffic, .turbulencePolygons]
      $0.viewport = Rig.square(south: 0, west: 0)
      $0.viewportTypes = [.pireps]
      $0.weather.places = [Rig.place]
    }
    #expect(
      told == [
        "corridor reject unserved types", "viewport reject unserved viewportTypes",
        "\(ScopeID.weather(Rig.place).name) reject unserved weather", "corridor full first",
      ])
    #expect(rig.state.scopes.map(\.id) == [.corridor])
    #expect(rig.state.scope(.corridor)?.want?.types == .turbulence)
    #expect(!rig.query { $0.polygon = Rig.otherArea }.contains { $0.contains("reject") })
    #expect(rig.send(.historyChanged(.sixHours)).first == "corridor reject unserved dataHistoryTime")
    #expect(rig.state.scope(.corridor)?.want?.history == .fourHours)
    #expect(!rig.send(.historyChanged(.fourHours)).contains { $0.contains("reject") })
    #expect(rig.unrest == [])
  }

  @Test func areasAndAltitudesThatTheServiceLacksLeaveTheLastOnes() {
    var rig = Self.online()
    rig.query { $0.polygon = Rig.area }
    let want = rig.state.scope(.corridor)?.want
    #expect(
      rig.query { $0.altitudes = .init(lower: 0, upper: 4000) } == ["corridor reject altitudesUnserved altRange"])
    #expect(
      rig.query {
        $0.altitudes = nil
        $0.polygon = Rig.square(south: 0, west: 175)
      } == ["corridor reject antimeridian polygon"])
    #expect(rig.state.scope(.corridor)?.want == want)
    #expect(
      rig.query { $0.polygon = Array(repeating: Rig.area[0], count: 251) } == [
        "corridor reject tooManyPoints polygon[251]"
      ])
  }

  @Test func weatherOfAServiceOfItsOwnIsFetched() {
    var rig = Self.online(hasWeatherService: true)
    #expect(
      rig.query { $0.weather.places = [Rig.place] } == ["\(ScopeID.weather(Rig.place).name) full first"])
  }

  @Test func eachPartSaysWhatToDo() {
    var query = ResolvedQuery()
    query.types = [.turbulence, .pireps]
    query.weather.places = [Rig.place]
    query.polygon = Rig.square(south: 0, west: 175)
    query.altitudes = .init(lower: 0, upper: 4000)
    guard case .sessionStarted(let session) = Self.session() else { return }
    let rejections = query.rejections(in: session)
    #expect(
      rejections.map(\.message) == [
        "The polygon of the data query crosses the meridian of 180°, which the service doesn't document",
        "The types of the data query include data that the service doesn't have",
        "The weather of the data query isn't at the service",
      ])
    #expect(rejections.allSatisfy { !$0.advice.isEmpty && $0.advice != "Set a different value." })
    #expect(query.rejections == [])
  }

  // MARK: The log, and another service

  @Test func theServiceIsInTheLogAndInSnapshotsUnlessItIsOneOfContrail() throws {
    for (service, hasWeather) in [
      (ServiceProfile.contrail, false), (Self.service, false), (.corridorV5(aircraftCategory: "a1"), true),
    ] {
      let event = Event.input(Self.session(service, hasWeatherService: hasWeather))
      let text = String(decoding: event.payload, as: UTF8.self)
      #expect(text.contains("service") != service.isContrail)
      #expect(try Event(kind: "session.started", payload: event.payload) == event)
      var state = State()
      state.evolve(Record(seq: 0, at: 0, event: event))
      var read = State()
      for (index, part) in state.snapshotParts.enumerated() {
        read.evolve(Record(seq: Int64(index), at: 0, event: .mark(.snapshotPart(part))))
      }
      read.evolve(Record(seq: 1, at: 0, event: .mark(.snapshotEnded)))
      #expect(read.session == state.session && read.service == service && read.controlJSON == state.controlJSON)
    }
  }

  @Test(arguments: [
    #"{"profile":"corridorV6","aircraftCategory":"C60"}"#, #"{"profile":"corridorV5"}"#,
    #"{"profile":"corridorV5","aircraftCategory":"C 60"}"#, #"{"aircraftCategory":"C60"}"#,
  ])
  func anUnknownServiceIsRefused(service: String) {
    let payload = #""engine":"1","session":"s","seed":7,"service":\#(service)"#
    #expect(throws: EventError.self) { try Event(kind: "session.started", payload: Array(payload.utf8)) }
  }

  @Test func anotherServiceIsAskedForEverythingAndIsSentNoReports() throws {
    var rig = Rig.flying { $0.types = [.turbulence, .pireps] }
    rig.pass(seconds: 60)
    rig.answer { $0.handle = "h1" }
    rig.send(
      .reportTracked(
        .init(cell: 1 << 15, altitude: 35, severity: 2, edrE4: 1800, observedAt: UInt32(rig.now / 1000))))
    let held = rig.state.scope(.corridor)?.reports.count
    #expect(rig.send(Self.session()) == ["corridor reject unserved types"])
    #expect(rig.state.scope(.corridor)?.reports.count == held && rig.state.scope(.corridor)?.handle == nil)
    #expect(rig.send(.connectivityChanged(isOnline: true)) == ["corridor full refresh"])
    #expect(rig.state.outgoingRequest(.corridor)?.area == nil)
    _ = Self.answer(&rig, ages: [30])
    #expect(rig.state.scope(.corridor)?.reports.count == 1 && rig.state.outbox.reports.count == 1)
    // The report is sent when the service is one of Contrail again.
    rig.launch()
    #expect(rig.state.outbox.upload?.request != nil && rig.state.scope(.corridor)?.inFlight?.mode == .full)
    #expect(rig.unrest == [])
  }

  @Test func theSameServiceGoesOnWithDeltas() {
    var rig = Self.online()
    rig.query { $0.polygon = Rig.area }
    _ = Self.answer(&rig, ages: [100])
    rig.send(Self.session())
    #expect(rig.send(.connectivityChanged(isOnline: true)) == [])
    #expect(rig.pass(seconds: 60) == ["corridor delta due"])
  }
}
