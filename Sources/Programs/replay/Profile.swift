import ArgumentParser
import ContrailCore
import ContrailGeodesy
import ContrailLog
import ContrailQuery
import ContrailReplay
import ContrailViewer
import ContrailWire

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show where along the route, and at which level, it was rough.",
    discussion: """
      Draws what the pilot could have known at a time: distance along the route and flight level, the worst severity that \
      was reported, and how old the newest report is. What nobody reported is shown as unknown, which isn't smooth.

      The route is that of the app's query. The own aircraft is where it made its last report: a log has no other \
      positions.

      EXAMPLES
        replay profile flight.jsonl
        replay profile flight.jsonl --at t+01:30:00 --width 80
        replay profile flight.jsonl --svg > profile.svg
        replay profile flight.jsonl --aircraft B738
        replay profile flight.jsonl --planned '0:310 800:350 1900:370'
        replay profile flight.jsonl --route '51.47,-0.45 40.64,-73.78'

      EXIT STATUS
        0   success
        2   the recording can't be read
        64  invalid arguments, or the recording has no route
      """)

  @Argument(help: "The recording.", completion: .file())
  var file: String

  @Option(
    parsing: .unconditional,
    help: "A seq (142) or a time (t+01:23:45, 1h23m, 2025-02-19T22:01:07Z). Default: the end.",
    transform: TimelinePosition.init)
  var at: TimelinePosition?

  @Option(help: "Another route: points of latitude and longitude.", transform: Self.route)
  var route: [Coordinate]?

  @Option(help: "The full width within which reports count, in nautical miles.")
  var width = 40.0

  @Option(help: "The length of a bin, in nautical miles.")
  var bin = 10.0

  @Option(
    help: "A type of aircraft (B738) or a class, whose thresholds of the EDR decide the severities.",
    completion: .list(AircraftCategory.allCases.map(\.rawValue)), transform: Self.category)
  var aircraft: AircraftCategory?

  @Option(
    help: "The planned levels: distances along the route in NM, each with the flight level from there on.",
    transform: PlannedLevels.init)
  var planned: PlannedLevels?

  @Flag(help: "Print a drawing (SVG).")
  var svg = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if svg, json { throw ValidationError("--svg and --json exclude each other. Give one of them.") }
  }

  private static func route(_ text: String) throws -> [Coordinate] {
    try text.split(whereSeparator: { $0 == " " || $0 == ";" }).map { point in
      let numbers = point.split(separator: ",").map { Double($0) }
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
        throw ValidationError("'\(point)' isn't a latitude and a longitude, such as 51.47,-0.45.")
      }
      return Coordinate(latitude: latitude, longitude: longitude)
    }
  }

  private static func category(_ text: String) throws -> AircraftCategory {
    guard let category = AircraftCategory(rawValue: text.lowercased()) ?? AircraftCategory(designator: text) else {
      throw ValidationError(
        "'\(text)' is neither a known type designator of ICAO Doc 8643, such as B738, nor "
          + "\(AircraftCategory.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return category
  }

  func run() throws {
    let inspection: Inspection
    do throws(UnreadableRecording) {
      inspection = try Inspection(path: file, at: at)
    } catch {
      throw Failure.unreadable(error)
    }
    guard let seq = inspection.seq else {
      throw ValidationError("\(file) begins after this time. Give a later one.")
    }
    let state = inspection.state
    guard let route = route ?? state.route else {
      throw ValidationError("The app's query has no route at this time. Give one with --route.")
    }
    var query = ProfileQuery(along: route, widthNM: width, binNM: bin)
    query.aircraft = inspection.aircraft
    query.category = aircraft
    let second = (inspection.at + (state.serverOffsetMS ?? 0)) / 1000
    let profile: RouteProfile
    do throws(QueryError) {
      profile = try state.profile(with: query, asOf: second)
    } catch {
      throw ValidationError("No profile: \(error.description).")
    }
    if let last = planned?.steps.last, last.fromNM >= profile.lengthNM {
      throw ValidationError(
        "--planned: the step at \(Words.count(Int(last.fromNM.rounded()))) NM is beyond the end of the route, which is "
          + "\(Words.count(Int(profile.lengthNM.rounded()))) NM long.")
    }
    let category = aircraft.map { ", \($0.rawValue) aircraft" } ?? ""
    let title =
      "\(file) at \(Words.offset(inspection.at - inspection.start)), \(Words.utc(inspection.at))\(category)"
    // A drawing and JSON have no place for it.
    if svg || json, let note = inspection.endNote { Terminal.write(Words.page(note + "\n")) }
    if svg {
      let drawing = ProfileDrawing(
        title: title, profile, historySeconds: state.history.seconds, aircraftFeet: query.aircraft?.altitudeFeet,
        planned: planned)
      print(drawing.svg, terminator: "")
    } else if json {
      print(json(profile, query, seq: seq))
    } else {
      print(Words.page(text(profile, inspection, title: title, seq: seq)), terminator: "")
    }
    Terminal.note(inspection.setAside)
  }

  private func text(_ profile: RouteProfile, _ inspection: Inspection, title: String, seq: Int64) -> String {
    let chart = ProfileChart(profile, aircraftFeet: inspection.aircraft?.altitudeFeet)
    let reported = profile.cells.compactMap(\.reports)
    let sum = reported.reduce(0) { $0 + $1.count }
    let column = Double(chart.binsPerColumn) * bin
    var lines = [
      title,
      "\(Words.count(Int(profile.lengthNM.rounded()))) NM, seq \(seq): \(Words.count(sum, "report")) within "
        + "\(Self.number(width / 2)) NM of the route, \(Words.count(profile.pireps.count, "PIREP"))",
    ]
    if let planned { lines.append("Planned: \(planned.words)") }
    if let note = inspection.endNote { lines.append(note) }
    lines.append("")
    lines += chart.lines
    lines += [
      "", "A column is \(Self.number(column)) NM, a row 1,000 ft; the digit is the worst severity reported:",
      "0 smooth, 1 light, 2 light-moderate, 3 moderate, 4 moderate-severe; · nobody",
      "reported, which isn't smooth. Age: of the newest report, in tens of minutes.",
    ]
    if let aircraft {
      lines.append("Severities are those of the \(aircraft.rawValue) class, by the EDR; areas keep theirs.")
    }
    if chart.showsAreas {
      lines.append("areas: the highest severity that an area of turbulence over the column has, at any level.")
    }
    if profile.aircraft != nil { lines.append("own: the place and the level of the last own report.") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func number(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }

  /// One object: the properties of the profile, and its cells as in its GeoJSON.
  private func json(_ profile: RouteProfile, _ query: ProfileQuery, seq: Int64) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("line", seq)
      json.member("asOf", profile.asOf)
      json.key("widthNM")
      json.decimal(Int64((profile.widthNM * 1000).rounded()), digits: 3)
      json.key("binNM")
      json.decimal(Int64((profile.binNM * 1000).rounded()), digits: 3)
      json.key("lengthNM")
      json.decimal(Int64((profile.lengthNM * 1000).rounded()), digits: 3)
      if let aircraft = profile.aircraft {
        json.key("aircraftNM")
        json.decimal(Int64((aircraft.alongNM * 1000).rounded()), digits: 3)
      }
      if let category = query.category { json.member("aircraft", category.rawValue) }
      if let planned {
        json.key("planned")
        json.array { json in
          for step in planned.steps {
            json.object { json in
              json.key("fromNM")
              json.decimal(Int64((step.fromNM * 1000).rounded()), digits: 3)
              json.member("level", step.flightLevel)
            }
          }
        }
      }
      json.key("route")
      json.array { json in
        for point in query.route {
          guard let fixed = FixedCoordinate(point) else { continue }
          json.array { json in
            json.decimal(fixed.longitudeE7, digits: 7)
            json.decimal(fixed.latitudeE7, digits: 7)
          }
        }
      }
      json.key("cells")
      json.array { json in
        for cell in profile.cells {
          json.object { json in
            json.member("bin", cell.bin)
            json.member("alt", cell.level)
            json.member("pireps", cell.pireps.count)
            if let severity = profile.areaSeverity(cell) {
              json.member("areaSev", severity)
            }
            guard let reports = cell.reports else { return }
            reports.write(to: &json)
          }
        }
      }
    }
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}

extension Inspection {
  /// The own aircraft at its last report.
  fileprivate var aircraft: AircraftPosition? {
    lastOwnReport.flatMap { report in
      report.coordinate.map { AircraftPosition(coordinate: $0, altitudeFeet: Double(report.altitudeFeet)) }
    }
  }
}
