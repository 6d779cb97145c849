import ContrailAirportData

/// The stage of a load, as stored in the database. Completed stages aren't repeated after an interruption.
enum LoadStage: Int, Comparable {
  /// Rows are being staged.
  case rows = 0
  /// All rows are staged, and the identifiers are indexed.
  case identifiers = 1
  /// The names are indexed.
  case names = 2
  /// The places are indexed.
  case places = 3
  /// The cycle can be activated.
  case complete = 4

  static func < (a: LoadStage, b: LoadStage) -> Bool { a.rawValue < b.rawValue }
}
