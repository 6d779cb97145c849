/// What a place is for. A builder keeps some kinds and drops others; the airports that it writes don't say theirs.
public enum AirportKind: String, Hashable, Sendable, CaseIterable {
  /// An airport or airstrip on land.
  case airport
  case seaplaneBase = "seaplane-base"
  case gliderport
  /// A field for ultralights.
  case ultralight
  case heliport
  case balloonport

  /// The site types of NASR; nil for one that isn't known.
  init?(nasr code: String) {
    switch code {
    case "A": self = .airport
    case "B": self = .balloonport
    case "C": self = .seaplaneBase
    case "G": self = .gliderport
    case "H": self = .heliport
    case "U": self = .ultralight
    default: return nil
    }
  }

  /// The types of OurAirports; nil for one that isn't known, and for `closed`, which says nothing of the kind.
  init?(ourAirports type: String) {
    switch type {
    case "large_airport", "medium_airport", "small_airport": self = .airport
    case "seaplane_base": self = .seaplaneBase
    case "heliport": self = .heliport
    case "balloonport": self = .balloonport
    default: return nil
    }
  }

  /// The kind that both sources tell: OurAirports doesn't tell gliderports and ultralights from airports.
  var ground: AirportKind {
    switch self {
    case .airport, .gliderport, .ultralight: .airport
    case .seaplaneBase, .heliport, .balloonport: self
    }
  }
}
