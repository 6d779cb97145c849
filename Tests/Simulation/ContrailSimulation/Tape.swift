import ContrailCore
import ContrailEngine
import ContrailGeodesy
import ContrailH3
import ContrailLog
import ContrailQuery
import ContrailWire
import Foundation

/// What a flight gives to the client and gets from it, in the form of the browser's client: calls of its exports, operations on its files,
/// and its actions. `Scripts/wasm-flights.mjs` gives the client in WebAssembly the same, and compares what it gets.
///
/// A line of JSON each: an array that begins with `life`, `call`, `file`, `action`, `timer` or `end`.
final class Tape {
  private(set) var bytes: [UInt8] = []
  /// The exchange of each request, and its index there.
  private var exchanges: [Int64: (exchange: Int, index: Int)] = [:]
  private var exchangeCount = 0

  func line(_ write: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    json.array(write)
    bytes += json.bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: Life

  /// A process begins.
  func begin(_ configuration: (inout JSONWriter) -> Void, at time: EngineTime) {
    exchanges = [:]
    exchangeCount = 0
    line { json in
      json.value("life")
      json.object(configuration)
      json.value(time.now)
      json.value(time.wall)
    }
  }

  /// A process ends; it may have been killed in the middle of the last call.
  func end() { line { $0.value("end") } }

  // MARK: Calls

  func call(_ event: DriverEvent, _ reply: Simulation.Reply?, at time: EngineTime) {
    switch event {
    case .launched: call("launch", at: time)
    case .app(let events): for event in events { call(event, at: time) }
    case .responded: if let reply { call(reply, at: time) }
    case .timerFired: self.event(1, at: time)
    // The rest follows from actions that the client performs itself.
    case .previewed, .opened, .openingFailed, .logged, .logRefused, .projected, .closed, .credential, .signed: break
    }
  }

  private func call(_ name: String, at time: EngineTime, _ arguments: (inout JSONWriter) -> Void = { _ in }) {
    line { json in
      json.value("call")
      json.value(name)
      json.value(time.now)
      json.value(time.wall)
      arguments(&json)
    }
  }

  private func event(_ kind: Int, _ ticket: Ticket? = nil, at time: EngineTime) {
    call("event", at: time) { json in
      json.value(kind)
      json.value(ticket?.number ?? 0)
    }
  }

  private func call(_ event: AppEvent, at time: EngineTime) {
    switch event {
    case .ready: self.event(0, at: time)
    case .turn(let turn): call("change", at: time) { turn.write(to: &$0) }
    case .report(let report, let ticket):
      call("report", at: time) { json in
        json.verbatim(Array(report.measurement.utf8))
        json.value(ticket.number)
      }
    case .awaitOpening(let ticket): self.event(5, ticket, at: time)
    case .observing(let since): self.event(since == nil ? 8 : 7, at: time)
    case .background(let ticket): self.event(3, ticket, at: time)
    case .foreground: self.event(2, at: time)
    case .clockChanged: self.event(6, at: time)
    case .stop(let ticket): self.event(4, ticket ?? Ticket(number: 1 << 40), at: time)
    // Not part of the flights of a browser.
    case .airports, .weather, .keyRefused: break
    }
  }

  private func call(_ reply: Simulation.Reply, at time: EngineTime) {
    guard let place = exchanges[reply.request.number] else { return }
    let mask = 1 << place.index
    if let answer = reply.answer {
      call("answer", at: time) { json in
        json.value(place.exchange)
        json.value(mask)
        json.value(answer.answer.status)
        json.array { json in
          for (name, value) in answer.answer.headers {
            json.array { json in
              json.value(name)
              json.value(value)
            }
          }
        }
        json.value(Data(answer.answer.body).base64EncodedString())
        json.value(answer.encodedBytes)
      }
    } else if case .failed(let failure, let message, _) = reply.result {
      let code: TransportError.Code =
        switch failure {
        case .network: .network
        case .timeout: .timeout
        case .security: .security
        case .tooLarge: .tooLarge
        }
      call("failed", at: time) { json in
        json.value(place.exchange)
        json.value(mask)
        json.value(TransportError.Code.allCases.firstIndex(of: code) ?? 0)
        json.value(message)
      }
    }
  }

  // MARK: Actions

  func action(_ action: DriverAction) {
    switch action {
    case .send(let requests, let credentials):
      exchangeCount += 1
      for (index, request) in requests.enumerated() { exchanges[request.number] = (exchangeCount, index) }
      guard let packed = RequestPacker(isSecure: false).packed(requests, with: credentials) else { return }
      line { json in
        json.value("action")
        json.object { json in
          json.member("do", "send")
          json.member("exchange", exchangeCount)
          json.member("method", packed.request.method)
          json.member("target", packed.request.target)
          json.key("headers")
          json.array { json in
            for (name, value) in packed.request.headers {
              json.array { json in
                json.value(name)
                json.value(value)
              }
            }
          }
          json.member("body", Data(packed.request.body).base64EncodedString())
          json.member("gzip", packed.isToBeCompressed)
          json.member("timeoutSeconds", packed.request.timeoutSeconds)
          json.key("requests")
          json.array { json in for request in requests { json.value(request.number) } }
        }
      }
    case .complete(let ticket, let error):
      line { json in
        json.value("action")
        json.object { json in
          json.member("do", "complete")
          json.member("ticket", ticket.number)
          json.key("error")
          if let error { error.write(to: &json) } else { json.null() }
        }
      }
    case .publish(let publication):
      guard !publication.updates.isEmpty else { return }
      line { json in
        json.value("action")
        json.object { json in
          json.member("do", "tell")
          json.key("updates")
          json.array { json in for update in publication.updates { update.write(to: &json, publication.newTypes) } }
        }
      }
    case .close:
      line { json in
        json.value("action")
        json.object { $0.member("do", "closed") }
      }
    case .setTimer(let at):
      line { json in
        json.value("timer")
        if let at { json.value(at) } else { json.null() }
      }
    case .preview, .open, .log, .cancel, .project, .levelAirports, .loadAirports, .sign, .requestCredential,
      .cancelCredential, .useCredentials:
      break
    }
  }
}

extension AppTurn {
  /// Writes the turn as the browser's client reads it, with every digit of the numbers.
  fileprivate func write(to json: inout JSONWriter) {
    func nullable<T>(_ value: T?, to json: inout JSONWriter, _ write: (T, inout JSONWriter) -> Void) {
      if let value { write(value, &json) } else { json.null() }
    }
    json.object { json in
      if let credentials {
        if let key = credentials.apiKey {
          json.key("apiKey")
          nullable(key, to: &json) { $1.value($0) }
        }
        if let token = credentials.weatherToken {
          json.key("weatherToken")
          nullable(token, to: &json) { $1.value($0) }
        }
      }
      if let isOnline { json.member("isOnline", isOnline) }
      if let linkCost {
        json.key("linkCost")
        json.object { json in
          json.member("isExpensive", linkCost.isExpensive)
          json.member("isConstrained", linkCost.isConstrained)
        }
      }
      if let history = settings.history { json.member("dataHistoryTime", history.seconds) }
      if let frequency = settings.frequency { json.member("dataUpdateFrequency", frequency.rawValue) }
      if let listening = settings.listening {
        json.key("listening")
        json.object { json in
          json.member("isEnabled", listening.isEnabled)
          json.key("urgentSeverity")
          nullable(listening.urgentSeverity, to: &json) { $1.value("\($0)") }
          json.key("urgentAltitudes")
          json.array { json in
            json.value(Int64(listening.urgentAltitudes.lower) * 1000)
            json.value(Int64(listening.urgentAltitudes.upper) * 1000)
          }
          json.key("confirmationMinutes")
          nullable(listening.confirmationMinutes.map { Int64($0) }, to: &json) { $1.value($0) }
        }
      }
      if let budget = settings.byteBudget {
        json.key("byteBudget")
        json.object { json in
          json.key("bytes")
          nullable(budget.bytes, to: &json) { $1.value($0) }
          json.key("flight")
          if case .flight(let flight) = budget.period { json.value(flight) } else { json.null() }
          json.member("savesOnExpensiveLink", budget.savesOnExpensiveLink)
          json.member("savesOnConstrainedLink", budget.savesOnConstrainedLink)
        }
      }
      if let query = settings.dataQuery {
        json.key("dataQuery")
        query.write(to: &json)
      }
      if let refresh { json.member("refresh", refresh ? "full" : "delta") }
    }
  }
}

extension DataQuery {
  fileprivate func write(to json: inout JSONWriter) {
    func number(_ value: Double, to json: inout JSONWriter) { json.verbatim(Array("\(value)".utf8)) }
    func points(_ name: StaticString, _ points: [Coordinate]?, to json: inout JSONWriter) {
      json.key(name)
      guard let points else { return json.null() }
      json.array { json in
        for point in points {
          json.array { json in
            number(point.longitude, to: &json)
            number(point.latitude, to: &json)
          }
        }
      }
    }
    func types(_ name: StaticString, _ types: DataTypeOptions?, to json: inout JSONWriter) {
      json.key(name)
      guard let types else { return json.null() }
      json.array { json in
        for (name, option) in DataTypeOptions.names where types.contains(option) { json.value(name) }
      }
    }
    json.object { json in
      types("types", self.types, to: &json)
      types("viewportTypes", viewportTypes, to: &json)
      json.key("sevs")
      json.array { json in for severity in sevs { json.value("\(severity)") } }
      points("polygon", polygon, to: &json)
      points("viewport", viewport, to: &json)
      points("route", route, to: &json)
      json.key("routeWidth")
      if let routeWidth { number(routeWidth, to: &json) } else { json.null() }
      json.key("altRange")
      if let altRange {
        json.array { json in
          number(altRange.lowerBound, to: &json)
          number(altRange.upperBound, to: &json)
        }
      } else {
        json.null()
      }
      json.member("globalEnabled", globalEnabled)
      json.member("globalTurbulencePolygonsUpToEnabled", globalTurbulencePolygonsUpToEnabled)
      json.key("weather")
      json.object { json in
        json.key("places")
        json.array { json in
          for place in weather.places {
            json.array { json in
              number(place.coordinate.longitude, to: &json)
              number(place.coordinate.latitude, to: &json)
            }
          }
        }
        json.key("spec")
        json.object { json in
          json.member("language", weather.spec.language)
          json.member("unit", weather.spec.unit)
          json.member("includesAlerts", weather.spec.includesAlerts)
          json.member("hours", weather.spec.hours)
          json.member("days", weather.spec.days)
          json.member("version", weather.spec.version)
          json.member("file", weather.spec.file)
        }
      }
    }
  }
}

extension TurbulenceReport {
  /// A measurement from which the browser's client makes this report.
  fileprivate var measurement: String {
    let place = H3Cell(packed22: cell)?.center ?? Coordinate(latitude: 0, longitude: 0)
    return """
      {"position":[\(place.longitude),\(place.latitude)],"altitudeFeet":\(Int(altitude) * 1000),"severity":"\(severity)",\
      "edr":\(Double(edrE4) / 10_000),"observedAt":\(observedAt),"isChecked":false}
      """
  }
}

extension Script {
  /// The flight without what a browser's client doesn't have, or the browser does itself.
  fileprivate var withoutForeignSteps: [Step] {
    steps.compactMap { step in
      switch step {
      case .airports, .airportFiles, .database, .lookup: nil
      case .answers(let faults): .answers(faults.filter { $0 != .badGzip })
      default: step
      }
    }
  }

  /// The flight as the browser's client can fly it.
  var inBrowser: Script {
    var script = Script(seed: seed, setting: setting, steps: withoutForeignSteps)
    script.setting.hasDatabase = false
    script.setting.opensLate = false
    script.setting.deliversAirports = false
    script.setting.tokenLifeSeconds = nil
    script.setting.streams = false
    return script
  }
}
