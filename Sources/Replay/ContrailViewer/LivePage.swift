import ContrailCompression

/// The files of a service's page: the map, the client for browsers, and its engine.
///
/// The map is made of the modules of the viewer. The client is one module, as applications load it.
package struct LivePage: Sendable {
  /// A file that browsers load.
  package struct File: Sendable {
    /// The path, such as `/` and `/contrail.js`.
    package let path: String
    /// The media type.
    package let type: String
    package let bytes: [UInt8]
    /// The bytes compressed by gzip; nil if compression doesn't help.
    package let packed: [UInt8]?
  }

  package let files: [File]

  /// The Content-Security-Policy: scripts, styles and data of the page's own server, and of no other.
  package static let policy = [
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "style-src 'self'",
    "img-src 'self' data:", "connect-src 'self'", "manifest-src 'self'", "form-action 'none'", "base-uri 'none'",
    "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - page: The files of the viewer's page, in which the map is the folder `live`.
  ///   - module: The files of the client for browsers.
  /// - Throws: ``PageError``: a file is missing, or a module can't be bundled.
  package init(page: PageFiles = .bundled, module: PageFiles = .bundledModule) throws(PageError) {
    let script = "text/javascript; charset=utf-8"
    var files: [File] = []
    func add(_ path: String, _ type: String, _ bytes: [UInt8]) {
      files.append(File(path: path, type: type, bytes: bytes, packed: Gzip.packed(bytes, level: 9)))
    }
    add("/", "text/html; charset=utf-8", try page.contents("live/index.html"))
    add("/style.css", "text/css", Array(FlightPage.compact(style: try page.text("style.css")).utf8))
    add("/live.css", "text/css", Array(FlightPage.compact(style: try page.text("live/live.css")).utf8))
    add("/live.js", script, Array(try ScriptBundle(entry: "live/main.js", files: page).text.utf8))
    add("/coastline.bin", "application/octet-stream", try page.contents("map/coastline.bin"))
    add("/contrail.js", script, Array(try ScriptBundle(entry: "contrail.js", files: module, isModule: true).text.utf8))
    add("/contrail.d.ts", "text/plain; charset=utf-8", try module.contents("contrail.d.ts"))
    add("/contrail-offline.js", script, try module.contents("contrail-offline.js"))
    let engine = try module.contents("contrail.wasm.gz")
    do throws(CompressionError) {
      let bytes = try Gzip.unpacked(engine, limit: 16 << 20)
      files.append(File(path: "/contrail.wasm", type: "application/wasm", bytes: bytes, packed: engine))
    } catch {
      throw PageError(.notCompressed, file: "contrail.wasm.gz", reason: "it isn't a file of gzip")
    }
    self.files = files
  }
}
