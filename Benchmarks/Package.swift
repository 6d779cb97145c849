// swift-tools-version: 6.2
import PackageDescription

// Measurements and comparisons, apart from the package so that nobody who depends on it fetches what they need.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "contrail-benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "contrail", path: "..", traits: [])],
  targets: [
    .executableTarget(
      name: "AirportsBench",
      dependencies: [
        .product(name: "ContrailAirportData", package: "contrail"),
        .product(name: "ContrailAirports", package: "contrail"), .product(name: "ContrailGeodesy", package: "contrail"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "GeodesyBench", dependencies: [.product(name: "ContrailGeodesy", package: "contrail")],
      swiftSettings: settings),
    .executableTarget(
      name: "GeodesyCompare", dependencies: [.product(name: "ContrailGeodesy", package: "contrail")],
      swiftSettings: settings),
    .executableTarget(
      name: "H3Bench",
      dependencies: [
        .product(name: "ContrailGeodesy", package: "contrail"), .product(name: "ContrailH3", package: "contrail"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "H3Compare",
      dependencies: [
        .product(name: "ContrailGeodesy", package: "contrail"), .product(name: "ContrailH3", package: "contrail"),
      ],
      swiftSettings: settings),
  ]
)
