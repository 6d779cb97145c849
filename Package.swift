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

/// The samples are compiled with the settings of a new application.
let appSettings = strict

// An app that turns all traits off fetches only GRDB.
/// For the reference server and the program `contrail`.
let whenOnline = TargetDependencyCondition.when(traits: ["Online"])
/// For the programs.
let inPrograms = TargetDependencyCondition.when(traits: ["Programs"])
/// For requests by async-http-client, which Linux does better than by URLSession.
let withAsyncHTTPClient = TargetDependencyCondition.when(platforms: [.linux], traits: ["AsyncHTTPClient"])
/// For Combine's publishers on Linux.
let withOpenCombine = TargetDependencyCondition.when(platforms: [.linux], traits: ["OpenCombine"])

let package = Package(
  name: "contrail",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    // What an app embeds: the client, its queries, weather and airports, with one import.
    .library(name: "Contrail", targets: ["Contrail"]),
    // What the tests, previews and demos of an app use: recordings that play, and a world in the process.
    .library(name: "ContrailTesting", targets: ["ContrailTesting"]),
    // What another process reads while the client writes: a widget, a watch app.
    .library(name: "ContrailStore", targets: ["ContrailStore"]),
    // What makes files of airports, on a server or a desk.
    .library(name: "ContrailAirportBuilder", targets: ["ContrailAirportBuilder"]),
    // Libraries of their own, useful without the client and without dependencies.
    .library(name: "ContrailAirports", targets: ["ContrailAirportData", "ContrailAirports"]),
    .library(name: "ContrailWeather", targets: ["ContrailWeather"]),
    .library(name: "ContrailH3", targets: ["ContrailH3"]),
    .library(name: "ContrailGeodesy", targets: ["ContrailGeodesy"]),
    .executable(name: "replay", targets: ["replay"]),
    .executable(name: "contrail", targets: ["ContrailTool"]),
  ],
  traits: [
    .trait(name: "AsyncHTTPClient", description: "On Linux, requests by async-http-client instead of URLSession."),
    .trait(name: "OpenCombine", description: "On Linux, publishers by OpenCombine, as Combine has them elsewhere."),
    .trait(name: "Programs", description: "The programs `replay` and `contrail`."),
    .trait(name: "Online", description: "The reference server.", enabledTraits: ["Programs"]),
    .default(enabledTraits: ["AsyncHTTPClient", "Online", "OpenCombine"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.36.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"]), .brew(["xz"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CContrailCRC"),
    .target(name: "CContrailCounters"),
    .target(name: "CContrailMath", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
    .target(name: "CContrailVectors"),
    .target(name: "ContrailGeodesy", dependencies: ["CContrailMath"], swiftSettings: settings),
    .target(name: "ContrailH3", dependencies: ["CContrailMath", "ContrailGeodesy"], swiftSettings: settings),
    .target(
      name: "ContrailWire", dependencies: ["CContrailVectors", "ContrailGeodesy", "ContrailH3"],
      swiftSettings: settings),
    .target(name: "ContrailGzip", dependencies: ["CZlib"], swiftSettings: settings),
    // Handlers for the channels of SwiftNIO, for both ends of a connection.
    .target(
      name: "ContrailNIO",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient", "Online"]))
      ],
      swiftSettings: settings),
    .target(
      name: "ContrailHTTP",
      dependencies: [
        "ContrailGzip", .target(name: "ContrailNIO", condition: withAsyncHTTPClient),
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: withAsyncHTTPClient),
        .product(name: "NIOCore", package: "swift-nio", condition: withAsyncHTTPClient),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: withAsyncHTTPClient),
        .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: withAsyncHTTPClient),
        .product(name: "NIOPosix", package: "swift-nio", condition: withAsyncHTTPClient),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: withAsyncHTTPClient),
      ],
      swiftSettings: settings),
    .target(
      name: "ContrailXZ", dependencies: [.target(name: "CLZMA", condition: .when(platforms: [.linux, .android]))],
      swiftSettings: settings),
    .target(
      name: "ContrailCore", dependencies: ["CContrailVectors", "ContrailGeodesy", "ContrailH3", "ContrailWire"],
      swiftSettings: settings),
    .target(
      name: "ContrailQuery",
      dependencies: ["CContrailMath", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailWire"],
      swiftSettings: settings),
    .target(
      name: "ContrailSensors", dependencies: ["CContrailMath", "ContrailGeodesy", "ContrailWire"],
      swiftSettings: settings),
    .target(name: "ContrailLog", dependencies: ["CContrailCRC", "ContrailXZ"], swiftSettings: settings),
    .target(
      name: "ContrailDeferred",
      dependencies: [.product(name: "OpenCombine", package: "OpenCombine", condition: withOpenCombine)],
      swiftSettings: settings),
    .target(
      name: "ContrailWeather", dependencies: ["ContrailDeferred", "ContrailGeodesy", "ContrailHTTP"],
      swiftSettings: settings),
    // What a file of airports says, without the database: a fold needs no more.
    .target(
      name: "ContrailAirportData", dependencies: ["ContrailGeodesy", "ContrailXZ"], swiftSettings: settings),
    .target(
      name: "ContrailAirports",
      dependencies: [
        "CContrailMath", "ContrailAirportData", "ContrailDeferred", "ContrailGeodesy", "ContrailHTTP", "ContrailLog",
        "ContrailXZ",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "ContrailAirportBuilder",
      dependencies: ["CContrailMath", "ContrailAirportData", "ContrailGeodesy", "ContrailLog", "ContrailXZ"],
      swiftSettings: settings),
    .target(
      name: "ContrailStore",
      dependencies: [
        "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailQuery", "ContrailWire",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    // The driver and what it runs: pure but for the log's files and the database beside it.
    .target(
      name: "ContrailEngine",
      dependencies: [
        "ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailGzip", "ContrailH3", "ContrailHTTP",
        "ContrailLog", "ContrailQuery", "ContrailStore", "ContrailWire",
      ],
      swiftSettings: settings),
    .target(
      name: "Contrail",
      dependencies: [
        "ContrailAirportData", "ContrailAirports", "ContrailCore", "ContrailDeferred", "ContrailEngine",
        "ContrailGeodesy", "ContrailH3", "ContrailHTTP", "ContrailLog",
        "ContrailQuery", "ContrailSensors", "ContrailWeather", "ContrailWire",
      ],
      resources: [.copy("Resources/PrivacyInfo.xcprivacy")],
      swiftSettings: settings),
    .target(
      name: "ContrailServer",
      dependencies: [
        "ContrailAirportData", "ContrailGeodesy", "ContrailGzip", "ContrailH3", "ContrailLog", "ContrailWeather",
        "ContrailWire", "ContrailXZ",
        .target(name: "ContrailNIO", condition: whenOnline),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: whenOnline),
        .product(name: "Hummingbird", package: "hummingbird", condition: whenOnline),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: whenOnline),
        .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: whenOnline),
        .product(name: "Logging", package: "swift-log", condition: whenOnline),
        .product(name: "NIOCore", package: "swift-nio", condition: whenOnline),
        .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: whenOnline),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: whenOnline),
        .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras", condition: whenOnline),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: whenOnline),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: whenOnline),
        .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: whenOnline),
      ],
      resources: [.embedInCode("Resources/openapi.yaml")],
      swiftSettings: settings),
    .target(
      name: "ContrailRecorder",
      dependencies: [
        "Contrail", "ContrailAirportData", "ContrailAirports", "ContrailCore", "ContrailEngine", "ContrailGeodesy",
        "ContrailLink", "ContrailLog", "ContrailWire",
      ],
      swiftSettings: settings),
    .target(
      name: "ContrailReplay",
      dependencies: [
        "ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailWire",
      ],
      swiftSettings: settings),
    // For the tests of apps: the client fed by a recording, or by a reference server under a clock that the test moves.
    .target(
      name: "ContrailTesting",
      dependencies: [
        "Contrail", "ContrailCore", "ContrailEngine", "ContrailLog", "ContrailReplay", "ContrailServer", "ContrailWire",
        .product(name: "Logging", package: "swift-log", condition: whenOnline),
      ],
      swiftSettings: settings),
    // What is done with logs from the field: judged, covered, cut, shortened, cleaned, and summarized by the fleet.
    .target(
      name: "ContrailField",
      dependencies: [
        "CContrailMath", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailReplay",
        "ContrailWhatIf", "ContrailWire",
      ],
      swiftSettings: settings),
    // Models of links and tariffs: data files with their sources.
    .target(
      name: "ContrailLink", dependencies: ["ContrailWire"],
      resources: [
        .embedInCode("Models/air-to-ground.json"), .embedInCode("Models/certus.json"), .embedInCode("Models/geo.json"),
        .embedInCode("Models/geo-bad.json"), .embedInCode("Models/leo.json"),
        .embedInCode("Models/tariff-session.json"), .embedInCode("Models/tariff-volume.json"),
      ],
      swiftSettings: settings),
    // A recorded flight under other settings, wires and links, against the world that its answers tell of.
    .target(
      name: "ContrailWhatIf",
      dependencies: [
        "ContrailCore", "ContrailGeodesy", "ContrailGzip", "ContrailH3", "ContrailLink", "ContrailLog",
        "ContrailReplay", "ContrailWire",
      ],
      swiftSettings: settings),
    // The page that shows a recording, and the engine in it.
    .target(name: "CContrailPage"),
    // What the engine in the page needs of a C library. Compiled here for its tests alone.
    .target(name: "CContrailRuntime"),
    .target(
      name: "ContrailViewer", dependencies: ["CContrailPage", "ContrailGzip", "ContrailLog", "ContrailXZ"],
      exclude: ["Page"], swiftSettings: settings),
    .executableTarget(
      name: "replay",
      dependencies: [
        "CContrailCounters", "ContrailCore", "ContrailField", "ContrailLink", "ContrailLog", "ContrailReplay",
        "ContrailViewer", "ContrailWhatIf",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: inPrograms),
      ],
      swiftSettings: settings),
    // Applications, each on one page, as their developers write them.
    .executableTarget(name: "flight-deck", dependencies: ["Contrail"], swiftSettings: appSettings),
    .executableTarget(name: "turbulence-ahead", dependencies: ["Contrail"], swiftSettings: appSettings),
    .executableTarget(
      name: "ContrailTool",
      dependencies: [
        "Contrail", "ContrailAirportBuilder", "ContrailAirportData", "ContrailAirports", "ContrailCore",
        "ContrailDeferred", "ContrailEngine", "ContrailGeodesy", "ContrailHTTP", "ContrailLink",
        "ContrailLog", "ContrailRecorder", "ContrailServer", "ContrailWeather", "ContrailWire",
        .product(name: "Logging", package: "swift-log", condition: whenOnline),
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: inPrograms),
      ],
      swiftSettings: settings),

    .target(
      name: "ContrailTestSupport",
      dependencies: ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailWire"],
      path: "Tests/ContrailTestSupport", swiftSettings: settings),
    .target(
      name: "ContrailSimulation",
      dependencies: [
        "ContrailAirportData", "ContrailCore", "ContrailEngine", "ContrailField", "ContrailGeodesy", "ContrailGzip",
        "ContrailH3", "ContrailHTTP", "ContrailLog", "ContrailReplay", "ContrailStore", "ContrailTestSupport",
        "ContrailWhatIf", "ContrailWire",
      ],
      path: "Tests/ContrailSimulation", swiftSettings: settings),
    .executableTarget(
      name: "contrail-what-if-check", dependencies: ["ContrailSimulation", "ContrailWhatIf"],
      path: "Tests/ContrailWhatIfCheck", swiftSettings: settings),
    .testTarget(
      name: "ContrailWhatIfTests",
      dependencies: [
        "ContrailCore", "ContrailLink", "ContrailLog", "ContrailReplay", "ContrailSimulation", "ContrailTestSupport",
        "ContrailWhatIf", "ContrailWire",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "contrail-simulate", dependencies: ["ContrailField", "ContrailSimulation"], path: "Tests/ContrailSimulate",
      swiftSettings: settings),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["ContrailCore", "ContrailReplay", "ContrailSimulation", "ContrailTestSupport", "ContrailWire"],
      swiftSettings: settings),
    .executableTarget(
      name: "contrail-crash-writer", dependencies: ["ContrailLog", "ContrailTestSupport"],
      path: "Tests/ContrailCrashWriter",
      swiftSettings: settings),
    .testTarget(
      name: "ContrailGeodesyTests", dependencies: ["ContrailGeodesy", "ContrailTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ContrailH3Tests", dependencies: ["ContrailGeodesy", "ContrailH3", "ContrailTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailWireTests",
      dependencies: ["ContrailGeodesy", "ContrailH3", "ContrailTestSupport", "ContrailWire"], swiftSettings: settings),
    .testTarget(
      name: "ContrailCoreTests",
      dependencies: ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailTestSupport", "ContrailWire"],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailQueryTests",
      dependencies: [
        "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailQuery", "ContrailTestSupport", "ContrailWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailSensorsTests",
      dependencies: ["ContrailGeodesy", "ContrailSensors", "ContrailTestSupport", "ContrailWire"],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailGzipTests", dependencies: ["ContrailGzip", "ContrailTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ContrailNIOTests",
      dependencies: [
        "ContrailNIO",
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient", "Online"])),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient", "Online"])),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailHTTPTests", dependencies: ["ContrailGzip", "ContrailHTTP", "ContrailTestSupport"],
      swiftSettings: settings),
    .testTarget(name: "ContrailXZTests", dependencies: ["ContrailTestSupport", "ContrailXZ"], swiftSettings: settings),
    .testTarget(
      name: "ContrailLogTests",
      dependencies: ["ContrailLog", "ContrailTestSupport", "ContrailXZ", "contrail-crash-writer"],
      swiftSettings: settings),
    .executableTarget(
      name: "contrail-store-writer",
      dependencies: [
        "ContrailCore", "ContrailStore", "ContrailTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/ContrailStoreWriter", swiftSettings: settings),
    .testTarget(
      name: "ContrailStoreTests",
      dependencies: [
        "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailQuery", "ContrailStore", "ContrailTestSupport",
        "ContrailWire", "contrail-store-writer", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailReplayTests",
      dependencies: [
        "ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailLog", "ContrailReplay",
        "ContrailTestSupport", "ContrailWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailFieldTests",
      dependencies: [
        "ContrailCore", "ContrailField", "ContrailGeodesy", "ContrailLog", "ContrailReplay", "ContrailTestSupport",
        "ContrailWhatIf", "ContrailWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailViewerTests",
      dependencies: [
        "CContrailRuntime", "ContrailCore", "ContrailGzip", "ContrailH3", "ContrailLog", "ContrailReplay",
        "ContrailTestSupport", "ContrailViewer", "ContrailWire", "ContrailXZ",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "contrail-airports-writer", dependencies: ["ContrailAirportData", "ContrailAirports"],
      path: "Tests/ContrailAirportsWriter",
      swiftSettings: settings),
    .testTarget(
      name: "ContrailAirportsTests",
      dependencies: [
        "ContrailAirportData", "ContrailAirports", "ContrailDeferred", "ContrailGeodesy", "ContrailHTTP",
        "ContrailTestSupport", "ContrailXZ", "contrail-airports-writer",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailAirportBuilderTests",
      dependencies: [
        "ContrailAirportBuilder", "ContrailAirportData", "ContrailGeodesy", "ContrailTestSupport", "ContrailXZ",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailWeatherTests",
      dependencies: ["ContrailDeferred", "ContrailGeodesy", "ContrailGzip", "ContrailTestSupport", "ContrailWeather"],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailDeferredTests",
      dependencies: [
        "ContrailDeferred", "ContrailTestSupport",
        .product(name: "OpenCombine", package: "OpenCombine", condition: withOpenCombine),
        .product(name: "OpenCombineDispatch", package: "OpenCombine", condition: withOpenCombine),
      ],
      swiftSettings: settings),
    // The snippets of the documentation, compiled as an application compiles them.
    .testTarget(name: "GuideTests", dependencies: ["Contrail", "ContrailTesting"], swiftSettings: appSettings),
    .testTarget(name: "TidyTests", swiftSettings: settings),
    .testTarget(name: "ReplayTests", dependencies: ["ContrailTestSupport", "replay"], swiftSettings: settings),
    .testTarget(
      name: "ContrailToolTests", dependencies: ["ContrailTestSupport", "ContrailTool"], swiftSettings: settings),
    .testTarget(
      name: "ContrailEngineTests",
      dependencies: [
        "ContrailCore", "ContrailEngine", "ContrailGeodesy", "ContrailHTTP", "ContrailLog", "ContrailStore",
        "ContrailTestSupport", "ContrailWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ContrailTests",
      dependencies: [
        "Contrail", "ContrailAirportData", "ContrailAirports", "ContrailCore", "ContrailDeferred", "ContrailEngine",
        "ContrailGeodesy", "ContrailHTTP", "ContrailLog", "ContrailQuery", "ContrailRecorder", "ContrailReplay",
        "ContrailSensors", "ContrailServer", "ContrailStore", "ContrailTestSupport", "ContrailTesting",
        "ContrailWeather", "ContrailWire",
        .product(name: "Logging", package: "swift-log", condition: whenOnline),
        .product(name: "NIOCore", package: "swift-nio", condition: withAsyncHTTPClient),
        .product(name: "NIOPosix", package: "swift-nio", condition: withAsyncHTTPClient),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RecordingTests", dependencies: ["ContrailCore", "ContrailLog", "ContrailReplay"], swiftSettings: settings),
    .testTarget(
      name: "ContrailServerTests",
      dependencies: [
        "ContrailGeodesy", "ContrailGzip", "ContrailH3", "ContrailLog", "ContrailServer", "ContrailTestSupport",
        "ContrailWeather",
        "ContrailWire",
        "ContrailXZ", .product(name: "Logging", package: "swift-log", condition: whenOnline),
      ],
      swiftSettings: settings),
  ]
)

// Measurements and comparisons, only where they are asked for: nobody else fetches what they need.
if Context.environment["CONTRAIL_BENCHMARKS"] != nil {
  // Its traits count allocations, by means that not every system has; only times are needed.
  package.dependencies.append(.package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []))
  func benchmark(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: "Benchmarks/Sources/\(name)", swiftSettings: settings)
  }
  package.targets += [
    // Its plugin finds a benchmark by its folder, right below one named Benchmarks.
    .executableTarget(
      name: "Parts",
      dependencies: [
        "ContrailCore", "ContrailGeodesy", "ContrailLog", "ContrailReplay", "ContrailWire",
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Parts", swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    benchmark("AppendBench", ["ContrailLog", .product(name: "GRDB", package: "GRDB.swift")]),
    benchmark(
      "StoreBench",
      [
        "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailQuery", "ContrailStore",
        "ContrailWire",
      ]),
    benchmark(
      "ClientBench",
      [
        "Contrail", "ContrailCore", "ContrailEngine", "ContrailGeodesy", "ContrailH3", "ContrailHTTP", "ContrailQuery",
        "ContrailWire", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    benchmark("AirportsBench", ["ContrailAirportData", "ContrailAirports", "ContrailGeodesy"]),
    benchmark("GeodesyBench", ["ContrailGeodesy"]),
    benchmark("GeodesyCompare", ["ContrailGeodesy"]),
    benchmark("H3Bench", ["ContrailGeodesy", "ContrailH3"]),
    benchmark("H3Compare", ["ContrailGeodesy", "ContrailH3"]),
  ]
}

// The plugin that builds the documentation, only for `Scripts/docs`: nobody else fetches it.
if Context.environment["CONTRAIL_DOCS"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
