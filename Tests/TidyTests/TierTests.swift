import Testing

/// Which modules of the system each target uses. Which of ours it stands on is said by the manifest, and held by the build
/// (`--explicit-target-dependency-import-check error`).
@Suite struct TierTests {
  private static let libm: Set<String> = ["Android", "Darwin", "Glibc", "Musl", "WASILibc"]

  /// The pure targets need none, or only mathematics.
  private static let allowed: [String: Set<String>] = [
    "Contrail": ["CoreLocation", "CoreMotion", "Dispatch", "Foundation", "Network", "Observation", "UIKit"],
    "ContrailAirportBuilder": libm,
    "ContrailAirports": libm.union(["Foundation", "Observation"]),
    "ContrailCompression": ["Compression"],
    "ContrailGeodesy": ["CoreLocation"],
    "ContrailField": ["Dispatch"],
    "ContrailHTTP": libm.union(["Combine", "Dispatch", "Foundation", "FoundationNetworking", "Network", "Security"]),
    "ContrailLog": libm.union(["Dispatch"]),
    "ContrailReplay": ["Dispatch"],
    "ContrailServer": libm.union(["Dispatch", "Foundation"]),
    "ContrailStore": ["Foundation"],
    "ContrailSupport": ["Foundation"],
    "ContrailTesting": ["Foundation"],
    "ContrailViewer": libm,
    "ContrailWorld": libm.union(["Foundation"]),
    "contrail": libm.union(["Dispatch", "Foundation"]),
    "ContrailWeather": ["Dispatch", "Foundation"],
    "flight-deck": ["Foundation"],
    "replay": libm,
    "turbulence-ahead": ["Foundation"],
  ]

  private static let system = allowed.values.reduce(into: Set<String>()) { $0.formUnion($1) }

  @Test func aTargetImportsOfTheSystemWhatItNeeds() throws {
    for file in try SourceFile.sources.get() {
      let excess = file.imports.intersection(Self.system).subtracting(Self.allowed[file.target] ?? [])
      #expect(excess.isEmpty, "\(file.path) imports \(excess.sorted().joined(separator: ", "))")
    }
  }

  @Test func noLibraryImportsWhatOnlyTestsMayHave() throws {
    for file in try SourceFile.sources.get() {
      #expect(file.imports.isDisjoint(with: ["Testing", "XCTest", "ContrailTestSupport"]), "\(file.path)")
    }
  }

  @Test func importsAreFound() {
    let file = SourceFile(
      path: "Sources/Room/X/Y.swift",
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
