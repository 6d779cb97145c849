import Testing

/// Imports show the architecture: each target may import what stands below it, and no more.
@Suite struct TierTests {
  private static let libm: Set<String> = ["Android", "Darwin", "Glibc", "Musl", "WASILibc"]

  /// What each target may import, from the bottom up.
  private static let allowed: [String: Set<String>] = [
    "ContrailGeodesy": libm.union(["CoreLocation"]),
    "ContrailXZ": ["CLZMA", "Compression"],
    "ContrailGzip": ["CZlib"],
    "ContrailHTTP": [
      "AsyncHTTPClient", "ContrailGzip", "Foundation", "FoundationNetworking", "NIOCore", "NIOHTTP1", "NIOPosix",
    ],
    "ContrailDeferred": libm.union(["Combine", "Dispatch", "OpenCombine"]),
    "ContrailH3": libm.union(["ContrailGeodesy"]),
    "ContrailWire": ["CContrailVectors", "ContrailGeodesy", "ContrailH3"],
    "ContrailWeather": ["ContrailDeferred", "ContrailGeodesy", "ContrailHTTP", "Dispatch", "Foundation"],
    "ContrailAirportData": libm.union(["ContrailGeodesy", "ContrailXZ"]),
    "ContrailAirports": libm.union([
      "ContrailAirportData", "ContrailDeferred", "ContrailGeodesy", "ContrailHTTP", "ContrailLog", "ContrailXZ",
      "Foundation", "GRDB", "GRDBSQLite", "Observation",
    ]),
    "ContrailAirportBuilder": libm.union(["ContrailAirportData", "ContrailGeodesy", "ContrailLog", "ContrailXZ"]),
    "ContrailCore": ["CContrailVectors", "ContrailGeodesy", "ContrailH3", "ContrailWire"],
    "ContrailQuery": libm.union(["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailWire"]),
    "ContrailLog": libm.union(["CContrailCRC", "ContrailXZ", "Dispatch"]),
    "ContrailStore": [
      "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailQuery", "ContrailWire", "Foundation", "GRDB",
      "GRDBSQLite",
    ],
    "ContrailReplay": libm.union([
      "ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailStore",
      "ContrailWire", "Dispatch",
    ]),
    "ContrailEngine": [
      "ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailGzip", "ContrailH3", "ContrailHTTP",
      "ContrailLog", "ContrailQuery", "ContrailStore", "ContrailWire",
    ],
    "Contrail": libm.union([
      "ContrailEngine",
      "ContrailAirportData", "ContrailAirports", "ContrailCore", "ContrailDeferred",
      "ContrailGeodesy", "ContrailGzip", "ContrailH3", "ContrailHTTP", "ContrailLog", "ContrailQuery", "ContrailStore",
      "ContrailWeather", "ContrailWire",
      "Foundation", "Network", "Observation", "UIKit",
    ]),
    "ContrailServer": libm.union([
      "ContrailAirportData", "ContrailGeodesy", "ContrailGzip", "ContrailH3", "ContrailLog", "ContrailWeather",
      "ContrailWire", "ContrailXZ",
      "Foundation", "HTTPTypes", "Hummingbird", "Logging", "NIOCore", "ServiceLifecycle", "UnixSignals",
    ]),
    "ContrailRecorder": libm.union([
      "Contrail", "ContrailEngine", "ContrailAirportData", "ContrailAirports", "ContrailCore", "ContrailGeodesy",
      "ContrailH3",
      "ContrailLog", "ContrailWire", "Foundation",
    ]),
    "turbulence-ahead": libm.union([
      "Contrail", "ContrailEngine", "ContrailCore", "ContrailGeodesy", "ContrailQuery", "Foundation",
    ]),
    "replay": libm.union([
      "ArgumentParser", "CContrailCounters", "ContrailCore", "ContrailLog", "ContrailReplay", "ContrailWire",
    ]),
    "ContrailTool": libm.union([
      "ArgumentParser", "Contrail", "ContrailAirportBuilder", "ContrailAirportData", "ContrailAirports", "ContrailCore",
      "ContrailDeferred",
      "ContrailEngine", "ContrailGeodesy", "ContrailHTTP", "ContrailLog", "ContrailRecorder", "ContrailServer",
      "ContrailWeather", "ContrailWire", "Dispatch", "Foundation", "Logging",
    ]),
  ]

  @Test func aTargetImportsOnlyWhatStandsBelowIt() throws {
    for file in try SourceFile.sources.get() {
      let allowed = try #require(
        Self.allowed[file.target], "\(file.path): the target \(file.target) has no place in the tiers yet: give it one")
      for module in file.imports.sorted() where !allowed.contains(module) {
        Issue.record(
          "\(file.path) imports \(module); \(file.target) stands on \(allowed.sorted().joined(separator: ", "))")
      }
    }
  }

  @Test func theTiersHaveNoCircle() {
    var left = Self.allowed.mapValues { $0.filter { Self.allowed[$0] != nil } }
    while let lowest = left.first(where: { $0.value.isEmpty })?.key {
      left[lowest] = nil
      for target in left.keys { left[target]?.remove(lowest) }
    }
    #expect(left.isEmpty, "\(left.keys.sorted()) stand on each other")
  }

  @Test func noLibraryImportsWhatOnlyTestsMayHave() throws {
    for file in try SourceFile.sources.get() {
      #expect(file.imports.isDisjoint(with: ["Testing", "XCTest", "ContrailTestSupport"]), "\(file.path)")
    }
  }

  @Test func importsAreFound() {
    let file = SourceFile(
      path: "Sources/X/Y.swift",
      text: """
        public import A
        @preconcurrency import B
        import struct C.D
        // import E
        let text = "import F"
          import G
        important H
        """)
    #expect(file.imports == ["A", "B", "C", "G"])
  }
}
