import ContrailCompression
import ContrailGeodesy

extension AirportDelta {
  /// Creates the delta from one cycle to another, and encodes it as a file.
  ///
  /// If most variations that differ follow a magnetic model, the file contains the model and its date instead of them.
  ///
  /// - Parameters:
  ///   - base: The airports of the earlier cycle, in any order.
  ///   - baseCycle: The earlier cycle.
  ///   - airports: The airports of the later cycle, in any order.
  ///   - cycle: The later cycle.
  ///   - sources: The sources of the later cycle.
  /// - Returns: The contents of the uncompressed file.
  /// - Throws: ``AirportDataError/Code/unwritable`` as for ``AirportFile/encoded(_:cycle:sources:)``, for either cycle.
  /// - Complexity: O(*n* log *n*).
  public static func encoded(
    from base: some Sequence<Airport>, of baseCycle: AIRACCycle, to airports: some Sequence<Airport>,
    cycle: AIRACCycle, sources: [AirportSource]
  ) throws(AirportDataError) -> [UInt8] {
    let (old, new) = (try AirportFile.sorted(base), try AirportFile.sorted(airports))
    var rest = Dictionary(uniqueKeysWithValues: new.map { ($0.recordID, $0) })
    let pairs = old.sorted { Held.precedes(Held($0), Held($1)) }.map { ($0, rest.removeValue(forKey: $0.recordID)) }
    var model = MagneticModel.fitted(to: samples(pairs), near: cycle)
    var writer = ByteWriter()
    writer.bytes.append(contentsOf: magic)
    writer.count(version)
    writer.count(baseCycle.effectiveDay.daysSince1970)
    writer.word(AirportDigest(old).value)
    let timeZones = AirportFileHeader.write(new, cycle: cycle, sources: sources, to: &writer)
    writer.count(model?.edition.rawValue ?? 0)
    if let model { writer.word(model.year.bitPattern) }
    var (states, variations, records) = (ByteWriter(), ByteWriter(), ByteWriter())
    for (before, after) in pairs {
      let (state, number) = change(from: before, to: after, &model)
      states.bytes.append(state.rawValue)
      if let number { variations.varint(UInt64(bitPattern: number << 1 ^ number >> 63)) }
      if let after, state == .replaced { AirportFileHeader.writeRecord(after, timeZones, to: &records) }
    }
    writer.count(pairs.count)
    for part in [states, variations, records] { writer.bytes.append(contentsOf: part.bytes) }
    writer.count(rest.count)
    for airport in new where rest[airport.recordID] != nil {
      AirportFileHeader.writeRecord(airport, timeZones, to: &writer)
    }
    writer.word(AirportDigest(new).value)
    return writer.bytes
  }

  /// Creates the delta from one cycle to another, and compresses it as `.xz`.
  ///
  /// - Parameter preset: The compression level, from 0 (fast) to 9 (small).
  /// - Returns: The contents of the file.
  /// - Throws: ``AirportDataError`` as for ``encoded(from:of:to:cycle:sources:)``.
  public static func packed(
    from base: some Sequence<Airport>, of baseCycle: AIRACCycle, to airports: some Sequence<Airport>,
    cycle: AIRACCycle, sources: [AirportSource], preset: Int = 6
  ) throws(AirportDataError) -> [UInt8] {
    let bytes = try encoded(from: base, of: baseCycle, to: airports, cycle: cycle, sources: sources)
    do throws(CompressionError) {
      return try XZ.compress(bytes, preset: preset)
    } catch {
      throw AirportDataError(error)
    }
  }

  /// The longest distance that is written as a number: a number has 63 bits, one of them for the sign.
  private static let maximumDistance: Int64 = 1 << 60

  /// Returns the state of an airport, and the number for its variation if the state has one.
  private static func change(
    from before: Airport, to after: Airport?, _ model: inout MagneticModel?
  ) -> (State, Int64?) {
    guard let after else { return (.removed, nil) }
    let (old, new) = (AirportHash(before), AirportHash(after))
    if old == new { return (.same, nil) }
    guard old.steady == new.steady, before.coordinate == after.coordinate, let value = after.variationDegrees,
      let previous = before.variationDegrees
    else { return (.replaced, nil) }
    let predicted = model?.declination(latitude: before.coordinate.latitude, longitude: before.coordinate.longitude)
    let byModel = predicted.map { DoubleOrder.position(value) &- DoubleOrder.position($0) }
    let byOld = DoubleOrder.position(value) &- DoubleOrder.position(previous)
    if let byModel, byModel.magnitude <= byOld.magnitude, byModel.magnitude < maximumDistance {
      return (.variationByModel, byModel)
    }
    return byOld.magnitude < maximumDistance ? (.variationByOldValue, byOld) : (.replaced, nil)
  }

  /// Returns some of the variations that changed, evenly distributed.
  private static func samples(_ pairs: [(Airport, Airport?)]) -> [Airport] {
    let varied = pairs.compactMap { before, after in
      after.flatMap { $0.variationDegrees != before.variationDegrees && $0.variationDegrees != nil ? $0 : nil }
    }
    return stride(from: 0, to: varied.count, by: max(1, varied.count / 50)).map { varied[$0] }
  }
}

extension MagneticModel {
  /// The number of days around the effective date in which the date of a model is searched.
  private static let searchDays = 60
  /// The difference from a model that still counts as following it, in degrees. Models of other days differ by more.
  private static let tolerance = 1e-9

  /// Returns the model and date that most samples follow, or `nil` if no model has more than half of them.
  ///
  /// Dates are days of a year as a fraction of its length, as the tools of the model's authors count them.
  static func fitted(to samples: [Airport], near cycle: AIRACCycle) -> MagneticModel? {
    var best: (model: MagneticModel, count: Int)?
    let day = cycle.effectiveDay.daysSince1970
    for edition in Edition.allCases {
      for day in (day - searchDays)...(day + searchDays) {
        guard let year = decimalYear(day) else { continue }
        var model = MagneticModel(edition, year: year)
        let count = samples.count { sample in
          let place = sample.coordinate
          let declination = model.declination(latitude: place.latitude, longitude: place.longitude)
          return (declination - (sample.variationDegrees ?? .infinity)).magnitude < tolerance
        }
        if count > (best?.count ?? samples.count / 2) { best = (model, count) }
      }
    }
    return best?.model
  }

  private static func decimalYear(_ daysSince1970: Int) -> Double? {
    guard let day = CivilDay(daysSince1970: daysSince1970),
      let first = CivilDay(year: day.components.year, month: 1, day: 1),
      let next = CivilDay(year: day.components.year + 1, month: 1, day: 1)
    else { return nil }
    let ordinal = daysSince1970 - first.daysSince1970 + 1
    return Double(day.components.year) + Double(ordinal) / Double(next.daysSince1970 - first.daysSince1970)
  }
}
