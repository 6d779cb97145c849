import ContrailAirportData
import ContrailAirports
import ContrailGeodesy
import ContrailTestSupport

/// Airports drawn from a seed: with and without each field, and with every awkward number.
struct RandomAirports {
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Airports of a fixed seed.
  static func made(_ count: Int) -> [Airport] {
    var random = RandomAirports(seed: 12)
    return random.make(count)
  }

  /// Airports with the record IDs `R0`, `R1`, …
  mutating func make(_ count: Int) -> [Airport] { (0..<count).map { airport("R\($0)") } }

  mutating func airport(_ recordID: String) -> Airport {
    Airport(
      recordID: recordID, locationID: word(3), icaoID: sometimes { $0.word(4) }, iataID: sometimes { $0.word(3) },
      name: name(), city: sometimes { $0.name() }, dataSource: Bool.random(using: &random) ? .nasr : .ourAirports,
      coordinate: coordinate(), elevationMeters: sometimes { $0.length() },
      variationDegrees: sometimes { Double(Int.random(in: -177...178, using: &$0.random)) },
      timeZone: sometimes { ["America/Chicago", "Europe/Zürich", "UTC"].randomElement(using: &$0.random) ?? "" },
      runways: (0..<Int.random(in: 0...6, using: &random)).map { _ in runway() })
  }

  mutating func runway() -> Runway {
    Runway(
      name: word(2), trueHeadingDegrees: sometimes { Double(Int.random(in: 0...380, using: &$0.random)) },
      lengthMeters: sometimes { $0.length() }, widthMeters: sometimes { $0.length() },
      surface: RunwaySurface.allCases.randomElement(using: &random) ?? .unknown,
      elevationMeters: sometimes { $0.length() }, reciprocalName: sometimes { $0.word(3) },
      takeoffRunMeters: sometimes { $0.length() }, takeoffDistanceMeters: sometimes { $0.length() },
      accelerateStopDistanceMeters: sometimes { $0.length() }, landingDistanceMeters: sometimes { $0.length() },
      displacedThresholdMeters: sometimes { $0.length() },
      gradientPercent: sometimes { Double(Int.random(in: -30...30, using: &$0.random)) / 10 },
      endCoordinate: sometimes { $0.coordinate() })
  }

  private mutating func sometimes<Value>(_ make: (inout Self) -> Value) -> Value? {
    Bool.random(using: &random) ? make(&self) : nil
  }

  private mutating func word(_ length: Int) -> String {
    String((0..<length).map { _ in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".randomElement(using: &random) ?? "A" })
  }

  private mutating func name() -> String {
    let words = ["São", "Paulo", "Field", "MUNI", "Ålesund", "Łódź", "العربية", "飛行場", "O'Hare", "\u{1}\n", "x"]
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      .joined(separator: " ")
  }

  private mutating func length() -> Double {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: Double(Int.random(in: -1200...20_000, using: &random)) * 0.3048
    case 1: Double(Int.random(in: -12_000...200_000, using: &random)) / 10 * 0.3048
    case 2: Double(Int.random(in: 0...5000, using: &random))
    case 3: Double.random(in: -500...9000, using: &random)
    case 4: [0, -0.0, .leastNonzeroMagnitude, 1e300, -4e15, 4503599627370497.5].randomElement(using: &random) ?? 0
    default: Double(Int.random(in: 0...500_000, using: &random)) / 100
    }
  }

  private mutating func coordinate() -> Coordinate {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      Coordinate(
        latitude: Double(Int.random(in: -90_000_000...90_000_000, using: &random)) / 1e6,
        longitude: Double(Int.random(in: -180_000_000...180_000_000, using: &random)) / 1e6)
    case 1: Coordinate(latitude: [-90, 90, 0].randomElement(using: &random) ?? 0, longitude: 180)
    default:
      Coordinate(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random))
    }
  }
}
