import ContrailGeodesy
import ContrailWire

/// Feeds of a made-up day, which answer as real ones do: the simulated world in the forms of the Aviation Weather Center and readsb.
///
/// A live service that asks them polls, reads, stores and serves as with real feeds, but needs no network.
package struct DemoFeeds: Sendable {
  private let world: SimulatedWorld

  /// The time in seconds for which a feed repeats a report.
  private static let repeatSeconds: Int64 = 900
  /// The time in seconds of a SIGMET, and the number of them at a time.
  private static let sigmetSeconds: Int64 = 14_400
  private static let sigmets: Int64 = 6

  package init(seed: UInt64) {
    world = SimulatedWorld(seed: seed)
  }

  package static let sources: [FeedSource] = [
    source("demo.pireps", .pireps, cadence: 60), source("demo.aircraft", .states, cadence: 30),
    source("demo.sigmets", .sigmets, cadence: 300),
  ]

  private static func source(_ name: String, _ kind: DayKind, cadence: Int64) -> FeedSource {
    FeedSource(
      name: name, location: .path(name), kind: kind, cadenceSeconds: cadence, staleSeconds: 900, limits: "none",
      licence: "made up")
  }

  /// Answers a request.
  ///
  /// - Parameter now: The time in milliseconds since 1970.
  package func answer(_ request: Poller.Request, at now: Int64) -> Poller.Outcome {
    let now = now / 1000
    let body: [UInt8] =
      switch request.source.name {
      case "demo.pireps": pireps(hours: request.hours, now: now)
      case "demo.aircraft": aircraft(now: now)
      default: sigmets(now: now)
      }
    return .answer(status: 200, entityTag: nil, modified: nil, retryAfterSeconds: nil, body: body)
  }

  // MARK: Reports

  private func pireps(hours: Int64, now: Int64) -> [UInt8] {
    let start = now - (hours > 1 ? hours * 3600 : Self.repeatSeconds)
    let oldest = WorldEpoch.index(of: start - SimulatedWorld.maximumDelay)
    var json = JSONWriter()
    json.array { json in
      for epoch in (oldest...WorldEpoch.index(of: now)).map({ world.epoch($0) }) {
        for history in epoch.pireps where (start...now).contains(history.first.updatedAt) {
          let pirep = history.first
          Self.write(
            to: &json, type: pirep.isUrgent ? "Urgent PIREP" : "PIREP", position: pirep.position,
            level: pirep.flightLevel, intensity: pirep.severity, observedAt: pirep.observedAt,
            receivedAt: pirep.updatedAt, text: pirep.text)
        }
        // Most reports are of smooth air or light turbulence. A part of these is enough.
        for observation in epoch.observations
        where (start...now).contains(observation.arrival)
          && (observation.report.severity >= .moderate || observation.report.cell % 16 == 0)
        {
          let report = observation.report
          Self.write(
            to: &json, type: "AIREP", position: observation.centre, level: Int(report.altitude) * 10,
            intensity: report.severity, observedAt: Int64(report.observedAt), receivedAt: observation.arrival,
            text: "ARP DEMO \(Hex.string(report.packed)) F\(Int(report.altitude) * 10)")
        }
      }
    }
    return json.bytes
  }

  private static func write(
    to json: inout JSONWriter, type: String, position: FixedCoordinate, level: Int?, intensity: TurbulenceSeverity?,
    observedAt: Int64, receivedAt: Int64, text: String
  ) {
    json.object { json in
      json.key("receiptTime")
      json.value(DayTime.text(receivedAt))
      json.key("obsTime")
      json.value(observedAt)
      json.key("lat")
      json.decimal(position.latitudeE7, digits: 7)
      json.key("lon")
      json.decimal(position.longitudeE7, digits: 7)
      json.key("fltLvl")
      if let level { json.value(level) } else { json.null() }
      json.key("tbInt1")
      json.value(intensity?.pirepWord ?? "")
      json.key("pirepType")
      json.value(type)
      json.key("rawOb")
      json.value(text)
    }
  }

  // MARK: Aircraft

  private func aircraft(now: Int64) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("now")
      json.value(now)
      json.key("aircraft")
      json.array { json in
        for position in world.traffic(at: now) {
          json.object { json in
            json.key("hex")
            json.value(position.id)
            json.key("flight")
            json.value(position.callsign)
            json.key("lat")
            json.decimal(position.position.latitudeE7, digits: 7)
            json.key("lon")
            json.decimal(position.position.longitudeE7, digits: 7)
            json.optional("alt_baro", position.altitudeFeet)
            json.optional("gs", position.groundSpeedKnots)
            json.optional("track", position.trackDegrees)
            json.key("seen_pos")
            json.value(now - position.observedAt)
          }
        }
      }
    }
    return json.bytes
  }

  // MARK: Areas

  /// Returns SIGMETs, each at a place of its own that drifts eastward, one beginning every forty minutes.
  private func sigmets(now: Int64) -> [UInt8] {
    let step = Self.sigmetSeconds / Self.sigmets
    var json = JSONWriter()
    json.array { json in
      for number in (now / step - Self.sigmets + 1)...(now / step) {
        let place = Digest.mix(world.seed ^ UInt64(bitPattern: number))
        let (west, south) = (Int64(place % 300) - 150, Int64((place >> 16) % 80) - 30)
        let (width, height) = (Int64((place >> 32) % 8) + 4, Int64((place >> 40) % 4) + 3)
        json.object { json in
          json.key("airSigmetType")
          json.value("SIGMET")
          json.key("seriesId")
          json.value("DEMO \(number % 100)")
          json.key("hazard")
          json.value("TURB")
          json.key("validTimeFrom")
          json.value(number * step)
          json.key("validTimeTo")
          json.value(number * step + Self.sigmetSeconds)
          json.key("altitudeLow1")
          json.value(24_000)
          json.key("altitudeHi1")
          json.value(39_000)
          json.key("coords")
          json.array { json in
            for (east, north) in [(0, 0), (width, 0), (width, height), (0, height), (0, 0)] {
              json.object { json in
                json.key("lat")
                json.value(south + north)
                json.key("lon")
                json.value(west + east)
              }
            }
          }
        }
      }
    }
    return json.bytes
  }
}
