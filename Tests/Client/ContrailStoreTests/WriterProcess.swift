#if os(Linux) || os(macOS)
  import Foundation

  /// The program that writes a store in a process of its own.
  enum WriterProcess {
    /// It lies beside the tests. Elsewhere, `CONTRAIL_STORE_WRITER` says where.
    static let program: URL? = {
      if let path = ProcessInfo.processInfo.environment["CONTRAIL_STORE_WRITER"] { return URL(fileURLWithPath: path) }
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
      let folder = URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
      let found = folder.appendingPathComponent("contrail-store-writer")
      return FileManager.default.isExecutableFile(atPath: found.path) ? found : nil
    }()
  }
#endif
