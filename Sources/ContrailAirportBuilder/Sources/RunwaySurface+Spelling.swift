import ContrailAirportData

extension RunwaySurface {
  /// What a source's spelling means; nil if it isn't understood.
  ///
  /// The spelling is taken apart into words, case and diacritics aside, and each word that names a material counts, by a table of words or
  /// by how it begins:
  ///
  /// - Of several materials, one that isn't a pavement wins over pavements, the first such if there are more: `ASPH-TURF` is turf. A
  ///   runway that is paved only in part isn't taken for a paved one.
  /// - Two different pavements are ``paved``.
  /// - `Grassed red clay` is turf: what grows on the ground comes before the ground.
  /// - A treatment (`TRTD`, `oiled`) says something only if no material is named: that it isn't turf.
  /// - The letters that NASR adds for the condition, as in `TURF-G`, say nothing, and nor does a single letter alone, which means one
  ///   thing in Italy and another in Australia.
  init?(spelling: String) {
    var materials: [RunwaySurface] = []
    var isTreated = false
    for word in Self.words(spelling) {
      if word.hasPrefix("TRTD") || word.hasPrefix("TREAT") || word == "HARD" || word.hasPrefix("HARDCORE") {
        isTreated = true
      } else if let material = Self.material(word), !materials.contains(material) {
        materials.append(material)
      }
    }
    if let unpaved = materials.first(where: { $0.isPaved != true }) {
      self = unpaved
    } else if materials.count > 1 {
      self = .paved
    } else if let material = materials.first {
      self = material
    } else if isTreated {
      self = .notTurf
    } else {
      return nil
    }
  }

  /// The spellings that say that nothing is known.
  static let unknownSpellings: Set<String> = ["", "UNK", "UNKNOWN", "NONE", "U", "NSTD", "X", "N"]

  /// Whole words, mostly the codes of ICAO, DAFIF and NASR.
  private static let words: [String: RunwaySurface] = [
    "ASP": .asphalt, "ASB": .asphalt, "BIT": .asphalt, "TAR": .asphalt, "MAC": .asphalt, "PFC": .asphalt,
    "APSH": .asphalt, "ASHP": .asphalt, "BLACKTOP": .asphalt, "CHIPSEAL": .asphalt,
    "CON": .concrete, "CCN": .concrete, "CEM": .concrete, "COCRETE": .concrete, "COCCRETE": .concrete,
    "CDNCRETE": .concrete,
    "COM": .paved, "PEM": .paved, "PER": .paved, "BRI": .paved, "PAVED": .paved, "PAVEMENT": .paved, "PAVING": .paved,
    "SEALED": .paved, "BRICK": .paved,
    "GRS": .turf, "GRE": .dirt, "GR": .turf, "TUEF": .turf, "TORF": .turf, "SOD": .turf, "ERBA": .turf,
    "HERBA": .turf, "GRAAS": .turf, "HERBE": .turf, "MOSS": .turf,
    "GVL": .gravel, "GRV": .gravel, "GRVL": .gravel, "OILGRAVEL": .gravel, "OLIGRAVEL": .gravel, "PIC": .gravel,
    "CINDERS": .gravel, "SLAG": .gravel, "AGGREGATE": .gravel, "SHALE": .gravel, "SHALY": .gravel, "ROCK": .gravel,
    "ROCKY": .gravel, "STONE": .gravel, "MAICILLO": .gravel, "ZAHORRA": .gravel,
    "CLA": .dirt, "LAT": .dirt, "TER": .dirt, "EERTH": .dirt, "GROUND": .dirt, "SOIL": .dirt, "MUD": .dirt,
    "LOAM": .dirt, "SILT": .dirt, "MURRAM": .dirt, "LAKEBED": .dirt, "SALT": .dirt, "CALCRETE": .dirt, "ARG": .dirt,
    "SAIBRO": .dirt, "TERRAIN": .dirt,
    "SAN": .sand, "COR": .coral, "CORONAS": .coral,
    "MET": .metal, "MTAL": .metal, "PSP": .metal, "ROOF": .metal, "ROOFTOP": .metal, "MAT": .metal, "AUMINUM": .metal,
    "WAT": .water, "SNO": .snow, "UNPAVED": .notTurf, "UNSEALED": .notTurf,
  ]

  /// How words begin, for all that people write.
  private static let beginnings: [(String, RunwaySurface)] = [
    ("ASPH", .asphalt), ("ASFAL", .asphalt), ("ASHPH", .asphalt), ("ASHPA", .asphalt), ("BITU", .asphalt),
    ("TARM", .asphalt), ("TARRED", .asphalt), ("MACAD", .asphalt),
    ("CONC", .concrete), ("CEMENT", .concrete),
    ("TURF", .turf), ("GRASS", .turf), ("GRAS", .turf),
    ("GRAV", .gravel), ("PICA", .gravel), ("LIMESTONE", .gravel),
    ("DIRT", .dirt), ("EART", .dirt), ("CLAY", .dirt), ("BLACKCLAY", .dirt), ("LATER", .dirt), ("CALICHE", .dirt),
    ("SAND", .sand), ("CORAL", .coral), ("METAL", .metal), ("STEEL", .metal), ("ALUM", .metal), ("MATS", .metal),
    ("DECK", .metal), ("WATER", .water), ("SNOW", .snow), ("ICE", .snow), ("WOOD", .wood),
  ]

  private static func material(_ word: String) -> RunwaySurface? {
    if let material = words[word] { return material }
    // An abbreviation is no beginning: `GRA` may be grass or gravel.
    guard word.utf8.count > 3 || word == "ICE" else { return nil }
    return beginnings.first { word.hasPrefix($0.0) }?.1
  }

  /// The words in upper case without diacritics; single letters are left out.
  static func words(_ spelling: String) -> [String] {
    // A C with a cedilla is the one letter beyond ASCII that is met in surfaces.
    let folded = spelling.uppercased().replacing("Ç", with: "C").replacing("C\u{327}", with: "C").replacing(
      "C0N", with: "CON")
    return folded.utf8.split { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0.utf8.count > 1 }
  }
}
