/// An origin or destination of simulated flights.
struct Airport: Sendable, Hashable {
  /// The region, which determines the number of flights between airports.
  enum Region: UInt8, Sendable {
    case northAmerica
    case europe
    case asia
    case middleEast
    case africa
    case southAmerica
    case oceania
  }

  let icao: String
  let region: Region
  /// The latitude in degrees.
  let latitude: Double
  /// The longitude in degrees.
  let longitude: Double
  let elevationFeet: Int

  init(_ icao: String, _ region: Region, _ latitude: Double, _ longitude: Double, _ elevationFeet: Int) {
    self.icao = icao
    self.region = region
    self.latitude = latitude
    self.longitude = longitude
    self.elevationFeet = elevationFeet
  }
}

extension Airport {
  /// Large airports of every inhabited continent. Identifiers, positions and elevations from OurAirports
  /// (ourairports.com, public domain), May 2026, rounded to 1e-4 degree.
  static let all: [Airport] = [
    Airport("KATL", .northAmerica, 33.6367, -84.4281, 1026),
    Airport("KJFK", .northAmerica, 40.6394, -73.7793, 13),
    Airport("KEWR", .northAmerica, 40.6894, -74.1705, 18),
    Airport("KBOS", .northAmerica, 42.3620, -71.0079, 20),
    Airport("KIAD", .northAmerica, 38.9445, -77.4558, 312),
    Airport("KPHL", .northAmerica, 39.8719, -75.2411, 36),
    Airport("KMIA", .northAmerica, 25.7960, -80.2898, 8),
    Airport("KMCO", .northAmerica, 28.4294, -81.3090, 96),
    Airport("KCLT", .northAmerica, 35.2140, -80.9431, 748),
    Airport("KORD", .northAmerica, 41.9786, -87.9048, 680),
    Airport("KDTW", .northAmerica, 42.2138, -83.3538, 645),
    Airport("KMSP", .northAmerica, 44.8801, -93.2217, 841),
    Airport("KSTL", .northAmerica, 38.7487, -90.3700, 618),
    Airport("KDFW", .northAmerica, 32.8968, -97.0380, 607),
    Airport("KIAH", .northAmerica, 29.9844, -95.3414, 97),
    Airport("KDEN", .northAmerica, 39.8600, -104.6738, 5431),
    Airport("KPHX", .northAmerica, 33.4353, -112.0059, 1135),
    Airport("KLAS", .northAmerica, 36.0834, -115.1518, 2181),
    Airport("KLAX", .northAmerica, 33.9425, -118.4080, 125),
    Airport("KSFO", .northAmerica, 37.6198, -122.3748, 13),
    Airport("KSEA", .northAmerica, 47.4479, -122.3103, 433),
    Airport("KPDX", .northAmerica, 45.5887, -122.5980, 31),
    Airport("KSLC", .northAmerica, 40.7889, -111.9799, 4227),
    Airport("PANC", .northAmerica, 61.1790, -149.9926, 152),
    Airport("CYYZ", .northAmerica, 43.6759, -79.6294, 569),
    Airport("CYUL", .northAmerica, 45.4678, -73.7423, 118),
    Airport("CYVR", .northAmerica, 49.1939, -123.1840, 14),
    Airport("CYYC", .northAmerica, 51.1188, -114.0099, 3557),
    Airport("CYHZ", .northAmerica, 44.8808, -63.5086, 477),
    Airport("MMMX", .northAmerica, 19.4358, -99.0703, 7316),
    Airport("MMUN", .northAmerica, 21.0408, -86.8735, 22),
    Airport("PHNL", .northAmerica, 21.3184, -157.9257, 13),
    Airport("EGLL", .europe, 51.4707, -0.4599, 83),
    Airport("EGKK", .europe, 51.1487, -0.1857, 202),
    Airport("EGCC", .europe, 53.3494, -2.2795, 257),
    Airport("EIDW", .europe, 53.4287, -6.2621, 242),
    Airport("LFPG", .europe, 49.0090, 2.5541, 392),
    Airport("EHAM", .europe, 52.3086, 4.7639, -11),
    Airport("EBBR", .europe, 50.9014, 4.4844, 175),
    Airport("EDDF", .europe, 50.0267, 8.5584, 364),
    Airport("EDDM", .europe, 48.3538, 11.7861, 1487),
    Airport("EDDB", .europe, 52.3617, 13.5023, 157),
    Airport("LSZH", .europe, 47.4581, 8.5481, 1417),
    Airport("LOWW", .europe, 48.1103, 16.5697, 600),
    Airport("LEMD", .europe, 40.4934, -3.5722, 1998),
    Airport("LEBL", .europe, 41.2971, 2.0785, 12),
    Airport("LPPT", .europe, 38.7813, -9.1359, 374),
    Airport("LIRF", .europe, 41.8045, 12.2520, 13),
    Airport("LIMC", .europe, 45.6306, 8.7281, 768),
    Airport("EKCH", .europe, 55.6179, 12.6560, 17),
    Airport("ENGM", .europe, 60.1939, 11.1004, 681),
    Airport("ESSA", .europe, 59.6485, 17.9288, 137),
    Airport("EFHK", .europe, 60.3184, 24.9633, 179),
    Airport("EPWA", .europe, 52.1657, 20.9671, 362),
    Airport("LKPR", .europe, 50.1009, 14.2599, 1247),
    Airport("LHBP", .europe, 47.4302, 19.2624, 495),
    Airport("LROP", .europe, 44.5718, 26.1033, 314),
    Airport("LGAV", .europe, 37.9364, 23.9445, 308),
    Airport("LTFM", .europe, 41.2749, 28.7321, 325),
    Airport("BIKF", .europe, 63.9850, -22.6056, 171),
    Airport("RJTT", .asia, 35.5497, 139.7870, 35),
    Airport("RJAA", .asia, 35.7686, 140.3887, 141),
    Airport("RJBB", .asia, 34.4273, 135.2440, 26),
    Airport("RKSI", .asia, 37.4691, 126.4510, 23),
    Airport("ZBAA", .asia, 40.0773, 116.5967, 116),
    Airport("ZSPD", .asia, 31.1434, 121.8050, 13),
    Airport("ZGGG", .asia, 23.3924, 113.2990, 50),
    Airport("VHHH", .asia, 22.3118, 113.9149, 28),
    Airport("RCTP", .asia, 25.0777, 121.2330, 106),
    Airport("RPLL", .asia, 14.5086, 121.0200, 75),
    Airport("VTBS", .asia, 13.6811, 100.7470, 5),
    Airport("VVTS", .asia, 10.8188, 106.6520, 33),
    Airport("WSSS", .asia, 1.3502, 103.9940, 22),
    Airport("WMKK", .asia, 2.7456, 101.7100, 69),
    Airport("WIII", .asia, -6.1256, 106.6560, 34),
    Airport("VIDP", .asia, 28.5556, 77.0952, 777),
    Airport("VABB", .asia, 19.0887, 72.8679, 39),
    Airport("VOBL", .asia, 13.1979, 77.7063, 3000),
    Airport("VCBI", .asia, 7.1808, 79.8841, 30),
    Airport("VGHS", .asia, 23.8433, 90.3978, 30),
    Airport("OPKC", .asia, 24.9065, 67.1608, 100),
    Airport("UTTT", .asia, 41.2579, 69.2812, 1417),
    Airport("UAAA", .asia, 43.3543, 77.0428, 2234),
    Airport("ZWWW", .asia, 43.9136, 87.4794, 2125),
    Airport("ZUUU", .asia, 30.5583, 103.9460, 1625),
    Airport("UHWW", .asia, 43.3963, 132.1482, 59),
    Airport("UNNT", .asia, 55.0198, 82.6187, 365),
    Airport("OMDB", .middleEast, 25.2498, 55.3710, 62),
    Airport("OTHH", .middleEast, 25.2731, 51.6081, 13),
    Airport("OEJN", .middleEast, 21.6802, 39.1574, 48),
    Airport("OERK", .middleEast, 24.9576, 46.6988, 2049),
    Airport("OKKK", .middleEast, 29.2245, 47.9698, 206),
    Airport("OJAI", .middleEast, 31.7226, 35.9932, 2395),
    Airport("LLBG", .middleEast, 32.0114, 34.8867, 135),
    Airport("HECA", .middleEast, 30.1115, 31.3967, 322),
    Airport("OIIE", .middleEast, 35.4161, 51.1522, 3305),
    Airport("FAOR", .africa, -26.1401, 28.2468, 5558),
    Airport("FACT", .africa, -33.9740, 18.6043, 151),
    Airport("HKJK", .africa, -1.3189, 36.9282, 5330),
    Airport("HAAB", .africa, 8.9779, 38.7993, 7630),
    Airport("DNMM", .africa, 6.5774, 3.3212, 135),
    Airport("DGAA", .africa, 5.6052, -0.1668, 205),
    Airport("GMMN", .africa, 33.3675, -7.5900, 656),
    Airport("DAAG", .africa, 36.6939, 3.2145, 82),
    Airport("FNLU", .africa, -8.8584, 13.2312, 243),
    Airport("FIMP", .africa, -20.4302, 57.6836, 186),
    Airport("GOBD", .africa, 14.6709, -17.0728, 290),
    Airport("SBGR", .southAmerica, -23.4313, -46.4700, 2461),
    Airport("SBGL", .southAmerica, -22.8100, -43.2506, 28),
    Airport("SBBR", .southAmerica, -15.8692, -47.9208, 3497),
    Airport("SBRF", .southAmerica, -8.1275, -34.9230, 33),
    Airport("SAEZ", .southAmerica, -34.8222, -58.5358, 67),
    Airport("SCEL", .southAmerica, -33.3930, -70.7858, 1555),
    Airport("SPJC", .southAmerica, -12.0219, -77.1143, 113),
    Airport("SKBO", .southAmerica, 4.7016, -74.1469, 8361),
    Airport("SVMI", .southAmerica, 10.6022, -66.9912, 234),
    Airport("SEQM", .southAmerica, -0.1254, -78.3543, 7841),
    Airport("MPTO", .southAmerica, 9.0714, -79.3835, 135),
    Airport("YSSY", .oceania, -33.9461, 151.1770, 21),
    Airport("YMML", .oceania, -37.6707, 144.8379, 434),
    Airport("YBBN", .oceania, -27.3842, 153.1170, 13),
    Airport("YPPH", .oceania, -31.9403, 115.9670, 67),
    Airport("YPAD", .oceania, -34.9475, 138.5334, 20),
    Airport("NZAA", .oceania, -37.0120, 174.7863, 23),
    Airport("NZCH", .oceania, -43.4890, 172.5321, 123),
    Airport("NFFN", .oceania, -17.7618, 177.4378, 59),
    Airport("NTAA", .oceania, -17.5535, -149.6069, 5),
    Airport("PGUM", .oceania, 13.4850, 144.7973, 298),
  ]
}
