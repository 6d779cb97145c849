import ContrailGeodesy
import ContrailWire

/// Reads responses of the OpenSky Network to `states/all`, one per file or per line.
///
/// A response is `{"time":…,"states":[[…]]}`, with the values of a state by index (OpenSky REST API, "All State
/// Vectors").
struct StateReader {
  private(set) var snapshots: [TrafficSnapshot] = []
  private(set) var files: [DayReport.File] = []

  /// The index of each value in a state.
  private enum Field {
    static let address = 0
    static let callsign = 1
    static let positionTime = 3
    static let contactTime = 4
    static let longitude = 5
    static let latitude = 6
    static let barometricAltitude = 7
    static let isOnGround = 8
    static let velocity = 9
    static let track = 10
  }

  mutating func read(_ path: String) throws(DayError) {
    var file = DayReport.File(path: path, kind: .states)
    var form = DayForm(path: path, expected: "answers of OpenSky, which have time and states")
    read(try DayDocument.documents(of: DayFile.contents(of: path), file: path), &file, &form)
    try form.check()
    snapshots.sort { $0.time < $1.time }
    files.append(file)
  }

  /// Reads the documents of a file or of a feed's answer.
  mutating func read(_ documents: [DayDocument], _ file: inout DayReport.File, _ form: inout DayForm) {
    for document in documents {
      let value = document.value ?? .null
      guard let time = DayTime.seconds(value["time"]) ?? DayTime.seconds(value["updated"]), let states = value.states
      else {
        file.records += 1
        file.note(document.value == nil ? .notJSON : .notARecord, at: document.place)
        form.miss(value, at: document.place)
        continue
      }
      form.recognise()
      var positions: [String: TrafficPosition] = [:]
      for (index, state) in states.enumerated() {
        file.records += 1
        let place = document.place(ofRecord: index)
        guard let position = Self.position(state, time: time, at: place, &file) else { continue }
        guard positions.updateValue(position, forKey: position.id) == nil else {
          file.note(.double, at: place)
          continue
        }
        file.serve(arrival: time)
      }
      snapshots.append(TrafficSnapshot(time: time, positions: positions.values.sorted { $0.id < $1.id }))
    }
  }

  private static func position(
    _ state: LooseJSON, time: Int64, at place: String, _ file: inout DayReport.File
  ) -> TrafficPosition? {
    func leaveOut(_ oddity: DayOddity) -> TrafficPosition? {
      file.note(oddity, at: place)
      return nil
    }
    guard (state.elements?.count ?? 0) > Field.track else { return leaveOut(.notARecord) }
    guard let address = state[Field.address].text?.lowercased() else { return leaveOut(.withoutAddress) }
    let coordinate: FixedCoordinate
    switch DayPosition.read(latitude: state[Field.latitude], longitude: state[Field.longitude]) {
    case .success(let read): coordinate = read
    case .failure(let fault): return leaveOut(fault.oddity)
    }
    guard let seen = DayTime.seconds(state[Field.positionTime]) ?? DayTime.seconds(state[Field.contactTime]) else {
      return leaveOut(.withoutTime)
    }
    if state[Field.isOnGround] == .flag(true) { return leaveOut(.onGround) }
    guard time - seen < TrafficPosition.lifetimeSeconds else { return leaveOut(.stale) }

    // Converts centimetres to feet (0.3048 m) and mm/s to knots (1852 m/h), both by definition.
    let altitude = Measure(state[Field.barometricAltitude].scaled(by: 2), times: 100, by: 3048, in: -5_000...200_000)
    let speed = Measure(state[Field.velocity].scaled(by: 3), times: 36, by: 18_520, in: 0...5_000)
    // Receivers of glider beacons send ±180°.
    let track = state[Field.track].integer.map { Int($0 % 360) }
    if altitude.isImpossible || speed.isImpossible { file.note(.impossibleMotion, at: place) }
    if let track = state[Field.track].integer, !(0...360).contains(track) { file.note(.unwrappedTrack, at: place) }
    return TrafficPosition(
      id: address, callsign: state[Field.callsign].text ?? "", position: coordinate, altitudeFeet: altitude.value,
      groundSpeedKnots: speed.value, trackDegrees: track.map { ($0 + 360) % 360 }, observedAt: min(seen, time))
  }

}

/// A measured value in the unit of the protocol.
struct Measure {
  /// The value, or `nil` if it is unknown or impossible.
  var value: Int?
  var isImpossible = false

  /// Converts a value and rounds it to an integer.
  ///
  /// - Parameters:
  ///   - given: The value, or `nil` if it is unknown.
  ///   - factor: The factor.
  ///   - divisor: The divisor, greater than zero.
  ///   - range: The possible values.
  init(_ given: Int64?, times factor: Int64, by divisor: Int64, in range: ClosedRange<Int64>) {
    guard let given else { return }
    let product = given.multipliedReportingOverflow(by: factor)
    let half = given < 0 ? -divisor / 2 : divisor / 2
    let sum = product.partialValue.addingReportingOverflow(half)
    let quotient = sum.partialValue / divisor
    isImpossible = product.overflow || sum.overflow || !range.contains(quotient)
    if !isImpossible { value = Int(quotient) }
  }
}

extension LooseJSON {
  /// The states of a response, where null means an empty list, or `nil` if the value isn't a response.
  fileprivate var states: [LooseJSON]? {
    guard case .object(let members) = self, let states = members["states"] else { return nil }
    return states == .null ? [] : states.elements
  }
}

/// The aircraft seen by a network of receivers at one time.
struct TrafficSnapshot: Hashable, Sendable {
  /// The time in seconds since 1970.
  var time: Int64
  /// The positions in the order of their addresses.
  var positions: [TrafficPosition]
}
