public import ContrailWire

/// How strongly an aircraft feels turbulence, by its weight: the same eddy dissipation rate is moderate in a light aircraft and light in a
/// heavy one.
///
/// ```swift
/// let category = AircraftCategory(designator: "B738") ?? .medium
/// let items = try client.turbulence(with: TurbulenceQuery(minimumSeverity: .moderate, aircraft: category))
/// ```
///
/// The classes are those of the Graphical Turbulence Guidance (GTG) as the Aviation Weather Center publishes it. A type belongs to
/// the class of its wake turbulence category in ICAO Doc 8643: up to 7 t, below 136 t, and from 136 t.
public enum AircraftCategory: String, Hashable, Sendable, CaseIterable {
  case light
  case medium
  case heavy

  /// The eddy dissipation rates, in m^(2/3)/s, from which turbulence is light, moderate and severe.
  public struct Thresholds: Hashable, Sendable {
    public let light: Double
    public let moderate: Double
    public let severe: Double
  }

  /// The thresholds of the category.
  ///
  /// Source: the legends of the Graphical Turbulence Guidance by aircraft weight (aviationweather.gov). The moderate and severe rates of
  /// all classes, and the weights that divide them (15,500 and 300,000 lb), are also the defaults of Flight Explorer ("Aircraft
  /// type-specific alerts" in its documentation). For the light rate, 13–15 hundredths are light in the light class, and 0.18 is light
  /// for a Boeing 737 (avwxtraining.com, "Route Profile view for turbulence", 2022); no second text was found for the light rate of the
  /// heavy class.
  public var thresholds: Thresholds {
    switch self {
    case .light: Thresholds(light: 0.13, moderate: 0.16, severe: 0.36)
    case .medium: Thresholds(light: 0.15, moderate: 0.20, severe: 0.44)
    case .heavy: Thresholds(light: 0.17, moderate: 0.24, severe: 0.54)
    }
  }

  /// Returns the severity of an eddy dissipation rate, in m^(2/3)/s.
  ///
  /// GTG has no class between light and moderate: here, `lightModerate` is the upper half of light.
  public func severity(edr: Double) -> TurbulenceSeverity {
    let thresholds = thresholds
    if edr >= thresholds.severe { return .moderateSevere }
    if edr >= thresholds.moderate { return .moderate }
    if edr >= (thresholds.light + thresholds.moderate) / 2 { return .lightModerate }
    return edr >= thresholds.light ? .light : .none
  }

  /// Returns the severity of a report for this category. A report without an eddy dissipation rate keeps its severity.
  public func severity(of report: TurbulenceReport) -> TurbulenceSeverity {
    report.edrE4 == 0 ? report.severity : severity(edr: Double(report.edrE4) / 10_000)
  }

  /// Returns the category of an aircraft type; nil for an unknown type.
  ///
  /// - Parameters:
  ///   - designator: The type designator of ICAO Doc 8643, such as `A20N`.
  ///   - types: The categories by designator.
  public init?(designator: String, in types: [String: AircraftCategory] = AircraftCategory.commonTypes) {
    guard let category = types[designator.uppercased()] else { return nil }
    self = category
  }

  /// The categories of common types, by their wake turbulence categories in ICAO Doc 8643 (J and H are heavy).
  public static let commonTypes: [String: AircraftCategory] = {
    let types: [(AircraftCategory, String)] = [
      (
        .light,
        """
        BE20 BE36 BE58 BE9L C150 C152 C172 C182 C208 C25A C510 C525 DA40 DA42 E50P P28A PA34 PA46 PC12 SR20 SR22 TBM9
        """
      ),
      (
        .medium,
        """
        A19N A20N A21N A318 A319 A320 A321 AT43 AT72 AT76 B712 B733 B734 B735 B736 B737 B738 B739 B38M B39M B752 B753 BCS1 BCS3 \
        C56X C680 C68A C700 C750 CL30 CL35 CL60 CRJ2 CRJ7 CRJ9 CRJX DH8A DH8D E135 E145 E170 E190 E195 E290 E295 E55P E75L \
        E75S F2TH F70 F900 F100 FA7X FA8X GL5T GL7T GLEX GLF4 GLF5 GLF6 H25B LJ45 MD82 MD83 SB20 SF34 SU95
        """
      ),
      (
        .heavy,
        """
        A306 A310 A332 A333 A337 A338 A339 A342 A343 A345 A346 A359 A35K A388 B742 B744 B748 B762 B763 B764 B772 B773 B77L \
        B77W B788 B789 B78X C17 DC10 IL76 IL96 MD11
        """
      ),
    ]
    var categories: [String: AircraftCategory] = [:]
    for (category, names) in types {
      for name in names.split(separator: " ") { categories[String(name)] = category }
    }
    return categories
  }()
}
