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

/// The tests spend most of their time in simulated flights, which optimized code folds five times as fast. `Scripts/test` asks for it.
/// A module that is optimized as a whole takes a quarter less processor time than file by file.
let optimized: [SwiftSetting] =
  Context.environment["CONTRAIL_OPTIMIZED"] == nil
  ? [] : [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))]
/// The names of the test targets to build, divided by commas; empty for all. For a change that concerns a few of them.
let chosenTests = (Context.environment["CONTRAIL_TESTS"] ?? "").split(separator: ",").map(String.init)
/// The rooms that fold.
let optimizedRooms: Set = ["Earth", "Sync", "Service", "Replay"]
/// Targets of these rooms that don't fold. With them not optimized, the tests take as long as before.
let notOptimized: Set = ["ContrailServer"]

/// The samples are compiled with the settings of a new application.
let appSettings = strict

// MARK: Traits

// A trait keeps dependencies from being fetched. An app that turns all traits off fetches only GRDB. Targets that no product for
// apps reaches aren't built for an app, so their code needs no condition.

/// Requests by async-http-client, which Linux does better than by URLSession.
let withAsyncHTTPClient = TargetDependencyCondition.when(platforms: [.linux], traits: ["AsyncHTTPClient"])
/// Combine's publishers on Linux.
let withOpenCombine = TargetDependencyCondition.when(platforms: [.linux], traits: ["OpenCombine"])
/// The program `replay`.
let inReplay = TargetDependencyCondition.when(traits: ["Replay"])
/// The program `contrail`, and the service.
let inPrograms = TargetDependencyCondition.when(traits: ["Programs"])
/// The check of signatures by `replay`.
let withSignatures = TargetDependencyCondition.when(traits: ["Signatures"])
/// A database that several instances of the service share. Off by default: it needs libpq.
let withPostgreSQL = TargetDependencyCondition.when(traits: ["PostgreSQL"])
/// Handlers of channels, for both ends of a connection.
let withNIO = TargetDependencyCondition.when(traits: ["AsyncHTTPClient", "Programs"])

// MARK: Rooms

// `Sources` has a folder for each room, and a room has a folder for each target. `Scripts/rooms` draws them, with the targets
// that each imports, into the page Architecture.

func target(
  _ name: String, in room: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(room)/\(name)", exclude: exclude, resources: resources,
    swiftSettings: settings + (optimizedRooms.contains(room) && !notOptimized.contains(name) ? optimized : []))
}

func program(
  _ name: String, folder: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = settings
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: folder, swiftSettings: settings)
}

func tests(_ name: String, in room: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = settings)
  -> Target
{
  .testTarget(name: name, dependencies: dependencies, path: "Tests/\(room)/\(name)", swiftSettings: settings)
}

let grdb: [Target.Dependency] = [
  .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
]
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: inReplay)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log", condition: inPrograms)
/// Signatures, for those who check them. An app signs by its own means.
func crypto(_ condition: TargetDependencyCondition?) -> Target.Dependency {
  .product(name: "Crypto", package: "swift-crypto", condition: condition)
}
func nio(_ name: String, _ condition: TargetDependencyCondition?) -> Target.Dependency {
  .product(name: name, package: "swift-nio", condition: condition)
}
func openCombine(_ name: String) -> Target.Dependency {
  .product(name: name, package: "OpenCombine", condition: withOpenCombine)
}

// MARK: Earth: pure, and useful alone

let earth: [Target] = [
  // Imported alone: distances, routes, corridors and polygons on the sphere and the ellipsoid.
  target("ContrailGeodesy", in: "Earth", ["CContrail"]),
  // Imported alone: Uber's hexagons.
  target("ContrailH3", in: "Earth", ["CContrail", "ContrailGeodesy"]),
]

// MARK: Sync: protocol, fold, log, driver

let sync: [Target] = [
  // Compiles for the page and ARM: requests, answers and records, their forms on the wire, and the messages of a transport.
  target("ContrailWire", in: "Sync", ["CContrail", "ContrailGeodesy", "ContrailH3"]),
  // Compiles for the page and ARM, and is a boundary: neither clock nor I/O. The state, the fold and the planner.
  target("ContrailCore", in: "Sync", ["CContrail", "ContrailGeodesy", "ContrailH3", "ContrailWire"]),
  // Compiles for the page and ARM but for its half that writes: the lines, segments and files of the log.
  target("ContrailLog", in: "Sync", ["CContrail", "ContrailCompression", "ContrailWire"]),
  // Compiles for a browser, and is a boundary: no socket, no database and no thread. What every client, the recorder and the simulator
  // run alike.
  target(
    "ContrailEngine", in: "Sync",
    [
      "ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailQuery",
      "ContrailWire",
    ]),
]

// MARK: Client: what an app embeds

let client: [Target] = [
  // Imported alone: the client, with one import. Gives the driver what it needs of the system: a transport and a database.
  target(
    "Contrail", in: "Client",
    [
      "ContrailAirportData", "ContrailAirports", "ContrailCompression", "ContrailCore", "ContrailEngine",
      "ContrailGeodesy", "ContrailH3", "ContrailHTTP", "ContrailLog", "ContrailQuery", "ContrailStore",
      "ContrailWeather", "ContrailWire",
    ],
    resources: [.copy("Resources/PrivacyInfo.xcprivacy")]),
  // Compiles for the page and ARM, and is a boundary: pure functions of the state, which use trigonometry, as the fold may not.
  target(
    "ContrailQuery", in: "Client", ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailWire"]),
  // Imported alone, by another process that reads while the client writes: a widget, a watch app.
  target(
    "ContrailStore", in: "Client",
    ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailQuery", "ContrailWire"] + grdb),
  // Imported beside the client, by apps that send logs to their developer: redacts and writes a log.
  target("ContrailSupport", in: "Client", ["Contrail", "ContrailField", "ContrailLog", "ContrailReplay"]),
  // Imported alone, by the tests of apps: the client, fed by a recording or by a world whose clock the test controls; and the
  // recorder, which flies it by a script against a server.
  target(
    "ContrailTesting", in: "Client",
    [
      "Contrail", "ContrailAirportData", "ContrailAirports", "ContrailCore", "ContrailEngine", "ContrailField",
      "ContrailGeodesy", "ContrailHTTP", "ContrailLog", "ContrailReplay", "ContrailWire", "ContrailWorld",
    ]),
]

// MARK: Airports and Weather

let airports: [Target] = [
  // Compiles for the page: the contents of a file of airports, without a database.
  target("ContrailAirportData", in: "Airports", ["ContrailCompression", "ContrailGeodesy"]),
  // Imported alone: the database of airports and its loader.
  target(
    "ContrailAirports", in: "Airports",
    [
      "CContrail", "ContrailAirportData", "ContrailCompression", "ContrailGeodesy", "ContrailHTTP", "ContrailLog",
      "ContrailWire",
    ] + grdb),
  // Imported alone, on a server or a desk: makes files of airports.
  target(
    "ContrailAirportBuilder", in: "Airports",
    ["CContrail", "ContrailAirportData", "ContrailCompression", "ContrailGeodesy", "ContrailLog"]),
]

let weather: [Target] = [
  // Imported alone: the client of the weather service.
  target("ContrailWeather", in: "Weather", ["ContrailGeodesy", "ContrailHTTP", "ContrailWire"])
]

// MARK: Service: the other end

let service: [Target] = [
  // A boundary: no socket and no server package. Simulated and recorded worlds, and the service that answers requests about them,
  // which ContrailTesting and the server call alike.
  target(
    "ContrailWorld", in: "Service",
    [
      "ContrailAirportData", "ContrailCompression", "ContrailGeodesy", "ContrailH3", "ContrailHTTP", "ContrailLog",
      "ContrailWeather", "ContrailWire",
    ]),
  // A boundary: the service over HTTP, with Hummingbird and SwiftNIO, and its log in PostgreSQL.
  target(
    "ContrailServer", in: "Service",
    [
      "ContrailHTTP", "ContrailLog", "ContrailWire", "ContrailWorld", logging,
      .byName(name: "CPostgreSQL", condition: withPostgreSQL),
      crypto(inPrograms), .product(name: "CryptoExtras", package: "swift-crypto", condition: inPrograms),
      .product(name: "HTTPTypes", package: "swift-http-types", condition: inPrograms),
      .product(name: "HummingbirdCore", package: "hummingbird", condition: inPrograms),
      .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: inPrograms),
      nio("NIOCore", inPrograms), nio("NIOHTTP1", inPrograms), nio("NIOPosix", inPrograms),
      .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: inPrograms),
      .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: inPrograms),
      .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras", condition: inPrograms),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: inPrograms), nio("NIOTLS", inPrograms),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: inPrograms),
      .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: inPrograms),
    ],
    resources: [.embedInCode("Resources/openapi.yaml")]),
]

// MARK: Replay: work with logs

let replay: [Target] = [
  // Compiles for the page and ARM but for its half that reads files: folds a log again, and compares the decisions.
  target(
    "ContrailReplay", in: "Replay",
    ["ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailWire"]),
  // A boundary: judges logs and never plans. Checks, covers, cuts, redacts, and flies a log under other settings and links.
  target(
    "ContrailField", in: "Replay",
    [
      "CContrail", "ContrailCompression", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog",
      "ContrailReplay", "ContrailWire",
    ],
    resources: [
      .embedInCode("Links/Models/air-to-ground.json"), .embedInCode("Links/Models/certus.json"),
      .embedInCode("Links/Models/geo.json"), .embedInCode("Links/Models/geo-bad.json"),
      .embedInCode("Links/Models/leo.json"), .embedInCode("Links/Models/tariff-session.json"),
      .embedInCode("Links/Models/tariff-volume.json"),
    ]),
  // A boundary: no engine. The page that shows a recording; the engine in the page is compiled for WebAssembly.
  target(
    "ContrailViewer", in: "Replay",
    ["CContrailPage", "ContrailCompression", "ContrailLog", "ContrailQuery", "ContrailWire"],
    exclude: ["Page"]),
  // C, for #embed: the files of the page, and the C library of the engine in it, which tests compile.
  .target(name: "CContrailPage", path: "Sources/Replay/CContrailPage"),
]

// MARK: Programs

let programs: [Target] = [
  program(
    "replay", folder: "Sources/Programs/replay",
    [
      "CContrail", "ContrailCore", "ContrailField", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailQuery",
      "ContrailReplay", "ContrailViewer", "ContrailWire", argumentParser, crypto(withSignatures),
    ]),
  // Its module can't have the program's name, which differs from `Contrail` only in its case.
  program(
    "ContrailTool", folder: "Sources/Programs/contrail",
    [
      "Contrail", "ContrailAirportBuilder", "ContrailAirportData", "ContrailAirports", "ContrailCore",
      "ContrailEngine", "ContrailField", "ContrailGeodesy", "ContrailHTTP", "ContrailLog", "ContrailReplay",
      "ContrailServer", "ContrailTesting", "ContrailViewer", "ContrailWeather", "ContrailWire", "ContrailWorld",
      argumentParser,
      logging,
    ]),
  // Applications, each on one page, as their developers write them.
  program(
    "flight-deck", folder: "Sources/Programs/flight-deck", ["Contrail", "ContrailSupport"], settings: appSettings),
  program("turbulence-ahead", folder: "Sources/Programs/turbulence-ahead", ["Contrail"], settings: appSettings),
]

// MARK: Support

let support: [Target] = [
  // One door to gzip and xz: zlib, and liblzma or Apple's Compression.
  target(
    "ContrailCompression", in: "Support",
    ["CCompression"]),
  // A boundary: the only target of an app with a socket. Requests over a transport, and asynchronous results: futures and channels,
  // as Combine's where it is there.
  target(
    "ContrailHTTP", in: "Support",
    [
      "ContrailCompression", "ContrailLog", "ContrailWire", openCombine("OpenCombine"),
      .product(name: "AsyncHTTPClient", package: "async-http-client", condition: withAsyncHTTPClient),
      nio("NIOCore", withNIO), nio("NIOHTTP1", withAsyncHTTPClient), nio("NIOPosix", withAsyncHTTPClient),
      .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: withAsyncHTTPClient),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: withAsyncHTTPClient),
    ]),
  // C: vector instructions, checksums, mathematical functions, and the processor's counters.
  .target(
    name: "CContrail", path: "Sources/Support/CContrail",
    linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
  // The system's zlib and liblzma.
  .systemLibrary(
    name: "CCompression", path: "Sources/Support/CCompression",
    providers: [.apt(["liblzma-dev", "zlib1g-dev"]), .brew(["xz"])]),
  // The system's libpq.
  .systemLibrary(
    name: "CPostgreSQL", path: "Sources/Support/CPostgreSQL", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
]

// MARK: Tests, in the rooms of their targets

let testTargets: [Target] = [
  .target(
    name: "ContrailTestSupport",
    dependencies: ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailWire"],
    path: "Tests/Support/ContrailTestSupport", swiftSettings: settings + optimized),
  .target(
    name: "ContrailSimulation",
    dependencies: [
      "Contrail", "ContrailAirportData", "ContrailCompression", "ContrailCore", "ContrailEngine", "ContrailField",
      "ContrailGeodesy", "ContrailH3", "ContrailHTTP", "ContrailLog", "ContrailQuery", "ContrailReplay",
      "ContrailStore", "ContrailTestSupport", "ContrailWire",
    ],
    path: "Tests/Simulation/ContrailSimulation", swiftSettings: settings + optimized),
  program(
    "contrail-simulate", folder: "Tests/Simulation/ContrailSimulate", ["ContrailField", "ContrailSimulation"]),
  // The client of an app beside a model of it.
  .target(
    name: "ContrailAppModel",
    dependencies: [
      "Contrail", "ContrailCore", "ContrailEngine", "ContrailGeodesy", "ContrailH3", "ContrailHTTP", "ContrailQuery",
      "ContrailSimulation", "ContrailTestSupport", "ContrailTesting", "ContrailWire",
    ],
    path: "Tests/Simulation/ContrailAppModel", swiftSettings: settings),
  program(
    "contrail-app-flights", folder: "Tests/Simulation/ContrailAppFlights", ["ContrailAppModel"]),
  .target(
    name: "ContrailWhatIfTruth",
    dependencies: [
      "Contrail", "ContrailCore", "ContrailEngine", "ContrailField", "ContrailGeodesy", "ContrailHTTP",
      "ContrailReplay", "ContrailTestSupport", "ContrailTesting", "ContrailWire", "ContrailWorld",
    ],
    path: "Tests/Simulation/ContrailWhatIfTruth", swiftSettings: settings),
  program(
    "contrail-what-if-check", folder: "Tests/Simulation/ContrailWhatIfCheck",
    ["ContrailCompression", "ContrailTestSupport", "ContrailTesting", "ContrailWhatIfTruth", "ContrailWorld"]),
  program(
    "contrail-listening-check", folder: "Tests/Simulation/ContrailListeningCheck",
    [
      "Contrail", "ContrailGeodesy", "ContrailHTTP", "ContrailServer", "ContrailTesting", "ContrailWire",
      "ContrailWorld",
    ]),
  program(
    "contrail-crash-writer", folder: "Tests/Sync/ContrailCrashWriter", ["ContrailLog", "ContrailTestSupport"]),
  program(
    "contrail-store-writer", folder: "Tests/Client/ContrailStoreWriter",
    ["ContrailCore", "ContrailStore", "ContrailTestSupport"] + grdb),
  program(
    "contrail-airports-writer", folder: "Tests/Airports/ContrailAirportsWriter",
    ["ContrailAirportData", "ContrailAirports"]),

  tests("ContrailGeodesyTests", in: "Earth", ["ContrailGeodesy", "ContrailTestSupport"]),
  tests("ContrailH3Tests", in: "Earth", ["ContrailGeodesy", "ContrailH3", "ContrailTestSupport"]),

  tests(
    "ContrailWireTests", in: "Sync", ["ContrailGeodesy", "ContrailH3", "ContrailTestSupport", "ContrailWire"]),
  tests(
    "ContrailCoreTests", in: "Sync",
    ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailTestSupport", "ContrailWire"]),
  tests(
    "ContrailLogTests", in: "Sync",
    ["ContrailCompression", "ContrailLog", "ContrailTestSupport", "ContrailWire", "contrail-crash-writer"]),
  tests(
    "ContrailEngineTests", in: "Sync",
    [
      "Contrail", "ContrailCore", "ContrailEngine", "ContrailGeodesy", "ContrailHTTP", "ContrailLog", "ContrailStore",
      "ContrailTestSupport", "ContrailWire",
    ]),

  tests(
    "ContrailTests", in: "Client",
    [
      "Contrail", "ContrailAirportData", "ContrailAirports", "ContrailCore", "ContrailEngine", "ContrailGeodesy",
      "ContrailHTTP", "ContrailLog", "ContrailQuery", "ContrailReplay", "ContrailServer", "ContrailStore",
      "ContrailSupport", "ContrailTestSupport", "ContrailTesting", "ContrailWeather", "ContrailWire", "ContrailWorld",
      crypto(withSignatures), logging, nio("NIOCore", withAsyncHTTPClient), nio("NIOPosix", withAsyncHTTPClient),
    ]),
  tests(
    "ContrailQueryTests", in: "Client",
    ["ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailQuery", "ContrailTestSupport", "ContrailWire"]),
  tests(
    "ContrailStoreTests", in: "Client",
    [
      "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailQuery", "ContrailStore", "ContrailTestSupport",
      "ContrailWire", "contrail-store-writer",
    ] + grdb),
  // The snippets of the documentation, compiled as an application compiles them.
  tests(
    "GuideTests", in: "Client",
    [
      "Contrail", "ContrailStore", "ContrailSupport", "ContrailTestSupport", "ContrailTesting", crypto(withSignatures),
      logging,
    ],
    settings: appSettings),

  tests(
    "ContrailAirportsTests", in: "Airports",
    [
      "ContrailAirportData", "ContrailAirports", "ContrailCompression", "ContrailGeodesy", "ContrailHTTP",
      "ContrailTestSupport", "ContrailWire", "contrail-airports-writer",
    ] + grdb),
  tests(
    "ContrailAirportBuilderTests", in: "Airports",
    [
      "ContrailAirportBuilder", "ContrailAirportData", "ContrailCompression", "ContrailGeodesy", "ContrailTestSupport",
    ]),
  tests(
    "ContrailWeatherTests", in: "Weather",
    [
      "ContrailCompression", "ContrailGeodesy", "ContrailHTTP", "ContrailTestSupport", "ContrailWeather",
      "ContrailWire",
    ]),

  // What the tests of the world and those of the server need.
  .target(
    name: "ContrailServiceSupport",
    dependencies: [
      "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailTestSupport", "ContrailWire", "ContrailWorld",
    ],
    path: "Tests/Service/ContrailServiceSupport", swiftSettings: settings),
  tests(
    "ContrailWorldTests", in: "Service",
    [
      "ContrailCompression", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailServiceSupport",
      "ContrailTestSupport", "ContrailWire", "ContrailWorld",
    ]),
  tests(
    "ContrailServerTests", in: "Service",
    [
      "ContrailAirportData", "ContrailCompression", "ContrailGeodesy", "ContrailH3", "ContrailLog", "ContrailServer",
      "ContrailServiceSupport", "ContrailTestSupport", "ContrailWeather", "ContrailWire", "ContrailWorld", logging,
      nio("NIOCore", inPrograms), nio("NIOPosix", inPrograms), nio("NIOTLS", inPrograms),
      crypto(inPrograms), .product(name: "NIOSSL", package: "swift-nio-ssl", condition: inPrograms),
    ]),

  tests(
    "ContrailReplayTests", in: "Replay",
    [
      "ContrailAirportData", "ContrailCore", "ContrailGeodesy", "ContrailLog", "ContrailReplay", "ContrailTestSupport",
      "ContrailWire",
    ]),
  tests(
    "ContrailFieldTests", in: "Replay",
    [
      "ContrailCompression", "ContrailCore", "ContrailField", "ContrailGeodesy", "ContrailH3", "ContrailLog",
      "ContrailReplay",
      "ContrailTestSupport", "ContrailTesting", "ContrailWhatIfTruth", "ContrailWire",
    ]),
  tests(
    "ContrailViewerTests", in: "Replay",
    [
      "CContrailPage", "ContrailCompression", "ContrailCore", "ContrailGeodesy", "ContrailH3", "ContrailLog",
      "ContrailQuery", "ContrailReplay", "ContrailTestSupport", "ContrailViewer", "ContrailWire",
    ]),
  tests("RecordingTests", in: "Replay", ["ContrailCore", "ContrailLog", "ContrailReplay", "ContrailTestSupport"]),
  tests(
    "SimulationTests", in: "Simulation",
    [
      "ContrailAppModel", "ContrailCore", "ContrailReplay", "ContrailSimulation", "ContrailTestSupport",
      "ContrailWire",
    ]),

  tests(
    "ReplayTests", in: "Programs",
    [
      "ContrailCore", "ContrailGeodesy", "ContrailLog", "ContrailReplay", "ContrailTestSupport", "ContrailWire",
      "replay", crypto(withSignatures),
    ]),
  tests(
    "ContrailToolTests", in: "Programs", ["ContrailTestSupport", "ContrailTool", "flight-deck", "turbulence-ahead"]),

  tests("ContrailCompressionTests", in: "Support", ["ContrailCompression", "ContrailTestSupport"]),
  tests(
    "ContrailHTTPTests", in: "Support",
    [
      "ContrailCompression", "ContrailHTTP", "ContrailTestSupport", "ContrailWire", nio("NIOCore", withNIO),
      openCombine("OpenCombine"), openCombine("OpenCombineDispatch"),
      nio("NIOEmbedded", withNIO), nio("NIOPosix", withAsyncHTTPClient),
      .product(name: "AsyncHTTPClient", package: "async-http-client", condition: withAsyncHTTPClient),
      .product(name: "NIOHPACK", package: "swift-nio-http2", condition: withAsyncHTTPClient),
      .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: withAsyncHTTPClient),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: withAsyncHTTPClient),
    ]),
  .testTarget(name: "TidyTests", dependencies: ["ContrailTestSupport"], swiftSettings: settings),
]

let package = Package(
  name: "contrail",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    // For an app: the client, its queries, weather and airports, with one import.
    .library(name: "Contrail", targets: ["Contrail"]),
    // For the tests, previews and demonstrations of an app: recordings, and a simulated world in the process.
    .library(name: "ContrailTesting", targets: ["ContrailTesting"]),
    // For apps that send logs to their developer.
    .library(name: "ContrailSupport", targets: ["ContrailSupport"]),
    // For another process that reads while the client writes: a widget, a watch app.
    .library(name: "ContrailStore", targets: ["ContrailStore"]),
    // Makes files of airports, on a server or a desk.
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
    .trait(name: "Replay", description: "The program `replay`."),
    .trait(
      name: "Programs", description: "The programs `replay` and `contrail`, and the service.", enabledTraits: ["Replay"]
    ),
    .trait(
      name: "Signatures", description: "`replay verify --public-key` checks signatures, by swift-crypto.",
      enabledTraits: ["Replay"]),
    .trait(
      name: "PostgreSQL", description: "Several instances of the service share a database. Needs libpq.",
      enabledTraits: ["Programs"]),
    .default(enabledTraits: ["AsyncHTTPClient", "OpenCombine", "Programs", "Signatures"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
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
  targets: earth + sync + client + airports + weather + service + replay + programs + support
    + testTargets.filter { $0.type != .test || chosenTests.isEmpty || chosenTests.contains($0.name) }
)

// Measurements and comparisons. Their dependencies are fetched only with this setting.
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

// The plugin that builds the documentation. It is fetched only with this setting, by `Scripts/docs`.
if Context.environment["CONTRAIL_DOCS"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
