// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where the scripts build, not in the builds of those who depend on us.
let strict: [SwiftSetting] =
  Context.environment["CONTRAIL_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + strict

let package = Package(
  name: "contrail",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "ContrailGeodesy", targets: ["ContrailGeodesy"]),
    .library(name: "ContrailH3", targets: ["ContrailH3"]),
    .library(name: "ContrailCore", targets: ["ContrailCore"]),
  ],
  targets: [
    .target(name: "ContrailGeodesy", swiftSettings: settings),
    .target(name: "ContrailH3", dependencies: ["ContrailGeodesy"], swiftSettings: settings),
    .target(name: "ContrailWire", dependencies: ["ContrailGeodesy", "ContrailH3"], swiftSettings: settings),
    .target(
      name: "ContrailCore", dependencies: ["ContrailGeodesy", "ContrailH3", "ContrailWire"], swiftSettings: settings),

    .target(
      name: "ContrailTestSupport", dependencies: ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailWire"],
      path: "Tests/ContrailTestSupport", swiftSettings: settings),
    .testTarget(
      name: "ContrailH3Tests", dependencies: ["ContrailGeodesy", "ContrailH3"], swiftSettings: settings),
    .testTarget(
      name: "ContrailWireTests", dependencies: ["ContrailWire", "ContrailTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ContrailCoreTests",
      dependencies: ["ContrailCore", "ContrailGeodesy", "ContrailTestSupport", "ContrailWire"], swiftSettings: settings),
  ]
)
