import ContrailAirportData

/// How far a load has come, as its cycle's row has it. What is done once need not be done again after an interruption.
enum LoadStage: Int, Comparable {
  /// Rows are being staged.
  case rows = 0
  /// All rows are staged, and their identifiers can be found.
  case identifiers = 1
  /// And their names.
  case names = 2
  /// And their places.
  case places = 3
  /// The cycle can be put in use.
  case complete = 4

  static func < (a: LoadStage, b: LoadStage) -> Bool { a.rawValue < b.rawValue }
}
