import ContrailLog
import ContrailServiceSupport
import ContrailWire
import Testing

@testable import ContrailServer
@testable import ContrailWorld

/// What each fault does to an answer, over a real socket.
@Suite struct FaultTests {
  @Test func lostCutAndSpoiltAnswers() async throws {
    try await withServer { client in
      let plain = try #require(await client.ask())
      #expect(await client.ask(fault: "drop") == nil)

      let short = try #require(await client.ask(fault: "truncate"))
      #expect(short.status == 200 && !short.isComplete && short.body.count == plain.body.count / 2)
      #expect(short.fields["content-length"] == String(plain.body.count))
      let chunked = try #require(await client.ask(fault: "truncate=chunked"))
      #expect(chunked.fields["transfer-encoding"] == "chunked" && !chunked.isComplete)
      #expect(chunked.body == short.body)
      let half = try #require(await client.ask(fault: "truncate=body"))
      #expect(half.isComplete && half.body == short.body)
      let broken = try #require(await client.ask(fault: "break=100"))
      #expect(!broken.isComplete && broken.body == Array(plain.body.prefix(100)))
      #expect(broken.fields["content-length"] == String(plain.body.count))

      let garbled = try #require(await client.ask(fault: "garble"))
      #expect(garbled.status == 200)
      #expect(throws: WireError.self) { try garbled.observations }
      let portal = try #require(await client.ask(fault: "html"))
      #expect(portal.status == 200 && portal.fields["content-type"]?.hasPrefix("text/html") == true)
      #expect(portal.fields["contrail-time"] == nil)
    }
  }

  @Test func refusals() async throws {
    try await withServer { client in
      let unavailable = try #require(await client.ask(fault: "status=503,retry-after=17"))
      #expect(unavailable.status == 503 && unavailable.fields["retry-after"] == "17")
      #expect(unavailable.errorCode == "FAULT_INJECTED")
      #expect(await client.ask(since: 1, fault: "gone")?.errorCode == ServiceError.deltaUnavailable)
      #expect(await client.ask(fault: "gone")?.status == 200)
      #expect(await client.ask(fault: "unauthorized")?.status == 401)
      #expect(await client.ask(fault: "badrequest")?.status == 400)
      #expect(await client.ask(fault: "nonsense")?.errorCode == "FAULT_UNKNOWN")
    }
  }

  @Test func answersThatLie() async throws {
    try await withServer { client in
      let since = Samples.noon - 600
      let honest = try #require(await client.ask(since: since)).observations
      func lie(_ fault: String) async throws -> ObservationsAnswer {
        try #require(await client.ask(since: since, fault: fault)).observations
      }
      let checksum = try await lie("checksum")
      #expect(checksum.held?.checksum != honest.held?.checksum && checksum.reports == honest.reports)
      #expect(try await lie("count").held?.count == (honest.held?.count ?? 0) + 1)
      let loses = try await lie("loses=2")
      #expect(loses.reports == honest.reports.dropLast(2) && loses.held == honest.held)
      #expect(try await lie("ahead=60").token == Samples.noon + 60)
      #expect(try await lie("follows").follows != since)
      let stale = try await lie("stale=900")
      #expect(stale.token == Samples.noon - 900 && stale.follows == since)
    }
  }

  /// Otherwise the connections of clients that gave up stay open for as long as the latency.
  @Test(.timeLimit(.minutes(30))) func aClientThatHangsUpIsNotWaitedFor() async throws {
    try await withServer { client in
      let slow = [WireHeader.fault: "latency=\(Fault.maximumLatency)"]
      #expect(await client.send("GET", "/airports/v1/cycles", slow, hangingUp: true) == nil)
      // Without latency, a client may close its side before it reads.
      #expect(await client.send("GET", "/airports/v1/cycles", hangingUp: true)?.status == 200)
    }
  }

  @Test func latencyWaits() async throws {
    try await withServer { client in
      let start = ContinuousClock.now
      #expect(await client.ask(fault: "latency=300")?.status == 200)
      #expect(ContinuousClock.now - start >= .milliseconds(300))
    }
  }

  @Test func aLostAnswerToAnUploadIsStillCarriedOut() async throws {
    try await withServer({ $0.aircraft = 0 }) { client in
      let body = Array(#"{"reports":[{"id":"85283473fffffff","alt":38,"sev":2,"observedAt":1780055990}]}"#.utf8)
      let lost = await client.post(
        "/reports/v5", ["Idempotency-Key": "one", WireHeader.fault: "drop"], body: body)
      #expect(lost == nil)
      let later = [WireHeader.simulatedTime: String((Samples.noon + 1) * 1000)]
      let reply1 = try #require(await client.ask(fields: later))
      #expect(try reply1.observations.held?.count == 1)
    }
  }

  @Test func faultsAreOnlyDoneWhereTheyAreAllowed() async throws {
    try await withServer({ $0.allowsRequestedFaults = false }) { client in
      #expect(await client.ask(fault: "drop,status=500")?.status == 200)
    }
  }

  @Test func aScheduleCountsFromTheFirstRequestInItsOwnTime() async throws {
    let schedule = try FaultSchedule("503 for 10m from 5m")
    try await withServer({ $0.faults = [schedule] }) { client in
      var statuses: [Int?] = []
      for minute in [0, 4, 5, 14, 15] {
        let time = [WireHeader.simulatedTime: String((Samples.noon + Int64(minute) * 60) * 1000)]
        statuses.append(await client.ask(fields: time)?.status)
      }
      #expect(statuses == [200, 200, 503, 503, 200])
    }
  }
}
