/// The kind of a landing place. The builder selects airports by kind but doesn't write it.
public enum AirportKind: String, Hashable, Sendable, CaseIterable {
  /// An airport or airstrip on land.
  case airport
  case seaplaneBase = "seaplane-base"
  case gliderport
  /// A field for ultralight aircraft.
  case ultralight
  case heliport
  case balloonport

  /// Returns the kind of a NASR site type, or `nil` if it is unknown.
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

  /// Returns the kind of an OurAirports type, or `nil` if it is unknown or `closed`, which doesn't include a kind.
  init?(ourAirports type: String) {
    switch type {
    case "large_airport", "medium_airport", "small_airport": self = .airport
    case "seaplane_base": self = .seaplaneBase
    case "heliport": self = .heliport
    case "balloonport": self = .balloonport
    default: return nil
    }
  }

  /// The kind as far as both sources distinguish it: OurAirports doesn't distinguish gliderports and ultralight fields
  /// from airports.
  var ground: AirportKind {
    switch self {
    case .airport, .gliderport, .ultralight: .airport
    case .seaplaneBase, .heliport, .balloonport: self
    }
  }
}
