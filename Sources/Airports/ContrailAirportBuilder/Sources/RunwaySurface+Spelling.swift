import ContrailAirportData

extension RunwaySurface {
  /// Parses the spelling of a surface. Returns `nil` if it isn't recognised.
  ///
  /// The spelling is split into words, ignoring case and diacritics. Each word that names a material counts, based on a
  /// table of words and a table of prefixes:
  ///
  /// - If several materials are named, the first unpaved one is used: `ASPH-TURF` is turf. A partly paved runway isn't
  ///   treated as paved.
  /// - Two different pavements are ``paved``.
  /// - `Grassed red clay` is turf, because vegetation precedes the ground.
  /// - A treatment (`TRTD`, `oiled`) counts only if no material is named. It means that the surface isn't turf.
  /// - The condition letters of NASR, as in `TURF-G`, are ignored, and so are single letters, whose meaning differs
  ///   between countries.
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

  /// The spellings of an unknown surface.
  static let unknownSpellings: Set<String> = ["", "UNK", "UNKNOWN", "NONE", "U", "NSTD", "X", "N"]

  /// Complete words, mostly codes of ICAO, DAFIF and NASR.
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

  /// Prefixes of words.
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
    // An abbreviation isn't treated as a prefix: `GRA` may be grass or gravel.
    guard word.utf8.count > 3 || word == "ICE" else { return nil }
    return beginnings.first { word.hasPrefix($0.0) }?.1
  }

  /// Returns the words in upper case without diacritics. Single letters are omitted.
  static func words(_ spelling: String) -> [String] {
    // C with a cedilla is the only letter outside ASCII in known spellings.
    let folded = spelling.uppercased().replacing("Ç", with: "C").replacing("C\u{327}", with: "C").replacing(
      "C0N", with: "CON")
    return folded.utf8.split { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0.utf8.count > 1 }
  }
}
