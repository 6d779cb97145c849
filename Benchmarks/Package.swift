// swift-tools-version: 6.2
import PackageDescription

// Benchmarks and comparisons, in a separate package so that users of Contrail don't fetch their dependencies.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func contrail(_ products: String...) -> [Target.Dependency] { products.map { .product(name: $0, package: "contrail") } }

let package = Package(
  name: "contrail-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "contrail", path: "..", traits: []),
    // Without its traits, which count allocations and need libraries that not every system has.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    // The plugin recognises a benchmark by its location directly below a folder named Benchmarks.
    .executableTarget(
      name: "Parts",
      dependencies: contrail("ContrailCore", "ContrailGeodesy", "ContrailLog", "ContrailWire") + [
        .product(name: "Benchmark", package: "benchmark")
      ],
      path: "Parts", swiftSettings: settings, plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "AppendBench",
      dependencies: contrail("ContrailLog") + [.product(name: "GRDB", package: "GRDB.swift")], swiftSettings: settings),
    .executableTarget(
      name: "StoreBench",
      dependencies: contrail(
        "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailQuery", "ContrailStore",
        "ContrailWire"),
      swiftSettings: settings),
    .executableTarget(
      name: "AirportsBench", dependencies: contrail("ContrailAirportData", "ContrailAirports", "ContrailGeodesy"),
      swiftSettings: settings),
    .executableTarget(name: "GeodesyBench", dependencies: contrail("ContrailGeodesy"), swiftSettings: settings),
    .executableTarget(name: "GeodesyCompare", dependencies: contrail("ContrailGeodesy"), swiftSettings: settings),
    .executableTarget(
      name: "H3Bench", dependencies: contrail("ContrailGeodesy", "ContrailH3"), swiftSettings: settings),
    .executableTarget(
      name: "H3Compare", dependencies: contrail("ContrailGeodesy", "ContrailH3"), swiftSettings: settings),
  ]
)
