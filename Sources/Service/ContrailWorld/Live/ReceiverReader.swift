import ContrailWire

/// Reads `aircraft.json` of readsb and dump1090, and answers of services with the same form.
///
/// An answer is `{"now":…,"aircraft":[…]}`, or `{"now":…,"ac":[…]}` with `now` in milliseconds. Old versions of dump1090 have
/// `altitude` and `speed` instead of `alt_baro` and `gs`.
enum ReceiverReader {
  static func snapshots(_ documents: [DayDocument], _ file: inout DayReport.File) -> [TrafficSnapshot] {
    documents.compactMap { document in
      let value = document.value ?? .null
      guard let time = DayTime.seconds(value["now"]), let list = value["aircraft"].elements ?? value["ac"].elements
      else {
        file.records += 1
        file.note(document.value == nil ? .notJSON : .notARecord, at: document.place)
        return nil
      }
      var positions: [String: TrafficPosition] = [:]
      for (index, aircraft) in list.enumerated() {
        file.records += 1
        let place = document.place(ofRecord: index)
        switch position(aircraft, time: time) {
        case .failure(let fault): file.note(fault.oddity, at: place)
        case .success(let read):
          guard positions.updateValue(read.position, forKey: read.position.id) == nil else {
            file.note(.double, at: place)
            continue
          }
          if read.isImpossible { file.note(.impossibleMotion, at: place) }
          file.serve(arrival: time)
        }
      }
      return TrafficSnapshot(time: time, positions: positions.values.sorted { $0.id < $1.id })
    }
  }

  private static func position(
    _ aircraft: LooseJSON, time: Int64
  ) -> Result<(position: TrafficPosition, isImpossible: Bool), DayPositionError> {
    guard aircraft.isObject else { return .failure(.init(oddity: .notARecord)) }
    guard let address = aircraft["hex"].text?.lowercased() else { return .failure(.init(oddity: .withoutAddress)) }
    // A position older than a minute stands in `lastPosition`.
    let place = aircraft["lat"] == .null ? aircraft["lastPosition"] : aircraft
    let coordinate = DayPosition.read(latitude: place["lat"], longitude: place["lon"])
    guard case .success(let point) = coordinate else {
      guard case .failure(let fault) = coordinate else { return .failure(.init(oddity: .withoutPosition)) }
      return .failure(fault)
    }
    guard aircraft["alt_baro"].text != "ground", aircraft["ground"] != .flag(true) else {
      return .failure(.init(oddity: .onGround))
    }
    guard let age = place["seen_pos"].integer ?? aircraft["seen"].integer else {
      return .failure(.init(oddity: .withoutTime))
    }
    guard (0..<TrafficPosition.lifetimeSeconds).contains(age) else { return .failure(.init(oddity: .stale)) }
    func measure(_ names: [String], in range: ClosedRange<Int64>) -> Measure {
      Measure(names.lazy.compactMap { aircraft[$0].integer }.first, times: 1, by: 1, in: range)
    }
    let altitude = measure(["alt_baro", "altitude", "alt_geom"], in: -5_000...200_000)
    let speed = measure(["gs", "speed"], in: 0...5_000)
    let track = (aircraft["track"].integer ?? aircraft["calc_track"].integer).map { Int($0 % 360 + 360) % 360 }
    let position = TrafficPosition(
      id: address, callsign: aircraft["flight"].text ?? "", position: point, altitudeFeet: altitude.value,
      groundSpeedKnots: speed.value, trackDegrees: track, observedAt: time - age)
    return .success((position, altitude.isImpossible || speed.isImpossible))
  }
}
