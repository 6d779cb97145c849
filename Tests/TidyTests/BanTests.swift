import Testing

/// What isn't written in the sources, and what is instead.
@Suite struct BanTests {
  /// The targets that are functions of what they are given.
  private static let pure: Set<String> = [
    "ContrailCore", "ContrailWire", "ContrailGeodesy", "ContrailH3", "ContrailQuery",
  ]
  /// Those among them that decide and are logged: the same on every machine, to the last bit.
  private static let exact: Set<String> = ["ContrailCore", "ContrailWire"]

  private static let bans: [Ban] = [
    Ban(
      words: [
        "Date(", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchTime", .free("clock_gettime("),
        .free("gettimeofday("),
      ],
      instead: "the record's `at`: the core has no clock", targets: pure),
    Ban(
      words: ["Task.sleep", "Task {", "Task.detached", "DispatchQueue", "Thread", "OperationQueue", "Timer"],
      instead: "say when to wake in `Plan.wakesAt`; the shell has the timers", targets: pure),
    Ban(
      words: [
        "UUID(", ".random(", ".randomElement(", ".shuffled(", "SystemRandomNumberGenerator", .free("arc4random("),
      ],
      instead: "`Digest.mix` of the session's seed and of what it is drawn for", targets: pure),
    Ban(
      words: ["Hasher(", ".hashValue"],
      instead: "`Digest.hash`: Swift's hashes differ from one run to the next", targets: pure),
    Ban(
      words: ["ProcessInfo", .free("getenv("), "CommandLine", "Locale", "UserDefaults", "Bundle"],
      instead: "an input: what decides must be in the log", targets: pure),
    Ban(
      words: [
        "FileManager", "FileHandle", "URLSession", "InputStream", "OutputStream", .free("open("), .free("fopen("),
        .free("socket("),
        .free("connect("), .free("fsync("),
      ],
      instead: "a value that the shell carries out", targets: pure),
    Ban(
      words: [.free("print("), .free("debugPrint("), .free("dump("), "NSLog", .free("fputs(")],
      instead: "a decision, a notice or a thrown error: libraries don't speak to the terminal",
      targets: pure.union([
        "Contrail", "ContrailAirportBuilder", "ContrailAirports", "ContrailCompression", "ContrailHTTP", "ContrailLog",
        "ContrailReplay", "ContrailServer", "ContrailStore", "ContrailTesting", "ContrailWeather", "ContrailWorld",
      ])),
    Ban(
      words: ["DateFormatter", "NumberFormatter", "String(format:", "JSONEncoder", "JSONDecoder", "JSONSerialization"],
      instead: "`JSONWriter` and `JSONReader`: one spelling, no locale", targets: pure),
    Ban(
      words: [
        .free("sin("), .free("cos("), .free("tan("), .free("asin("), .free("acos("), .free("atan("), .free("atan2("),
        .free("sqrt("),
        .free("pow("), .free("exp("), .free("log("), .free("log2("), .free("hypot("), ".squareRoot(", "Double", "Float",
      ],
      instead: "whole numbers: what is computed in floating point is resolved by the shell before it is logged",
      targets: exact,
      // The query as the application gives it, and the one place where it is made whole numbers of.
      except: [
        "Sources/Sync/ContrailCore/Query/DataQuery.swift", "Sources/Sync/ContrailCore/Query/DataQuery+Resolving.swift",
      ]),
    Ban(
      words: ["nonisolated(unsafe)", "@unchecked Sendable"],
      instead: "values, and one actor in the shell that owns them", targets: pure),
    Ban(
      words: [
        "try!", "as!", .free("fatalError("), .free("preconditionFailure("), "unsafelyUnwrapped", "unsafeBitCast",
      ],
      instead: "a typed error, or code in which it cannot happen"),
    Ban(
      words: ["@_exported"], instead: "an import by whoever uses it",
      // Modules whose API consists of types of another: whoever imports them can name these.
      except: [
        "Sources/Client/Contrail/Exports.swift", "Sources/Client/ContrailStore/Exports.swift",
        "Sources/Weather/ContrailWeather/Exports.swift",
      ]),
  ]

  @Test func nothingBannedIsWritten() throws {
    let files = try SourceFile.sources.get()
    #expect(files.count > 80, "the sources weren't found")
    for file in files {
      for ban in Self.bans { #expect(ban.isBroken(in: file) == []) }
    }
  }

  @Test func nothingIsLeftToBeDoneLater() throws {
    let words = ["TO" + "DO", "FIX" + "ME"]
    for file in try SourceFile.sources.get() + SourceFile.tests.get() {
      for (index, line) in file.lines.enumerated() {
        for word in words where line.contains(word) {
          Issue.record("\(file.path):\(index + 1): '\(word)': do it now, or write it in the tracker")
        }
      }
    }
  }

  @Test func exceptionsAreStillNeeded() throws {
    let files = try SourceFile.sources.get()
    for ban in Self.bans {
      for path in ban.except {
        let file = try #require(files.first { $0.path == path }, "\(path) is gone: take it off the list")
        let bare = Ban(words: ban.words, instead: ban.instead, targets: ban.targets)
        #expect(bare.isBroken(in: file) != [], "\(path) needs no exception any more")
      }
    }
  }

  // MARK: The tests' own test

  @Test func aBanIsSeenInCodeAndNotInCommentsOrStrings() {
    let file = SourceFile(
      path: "Sources/Sync/ContrailCore/Example.swift",
      text: """
        // Date( is banned
        let a = "Date(" + "\\"Date("  // Date(
        let b = Date()
        let c = myDate() + DateX()
        /* Date( */ let d = Date(timeIntervalSince1970: 0)
        let e = storage.open(a) + open(a)
        """)
    #expect(file.lines(with: "Date(") == [3, 5])
    #expect(file.lines(with: .free("open(")) == [6])
    #expect(Ban(words: ["Date("], instead: "", targets: ["ContrailWire"]).isBroken(in: file) == [])
    #expect(Ban(words: ["Date("], instead: "x", targets: ["ContrailCore"]).isBroken(in: file).count == 2)
  }
}
