import ArgumentParser
import ContrailLog
import ContrailViewer
import ContrailWorld
import Foundation

extension Serve {
  /// Returns the page that the service has at `/`.
  func servedPage() throws -> ServedPage {
    do throws(PageError) {
      let page =
        if let pageSources {
          try LivePage(
            page: try PageFiles(folder: "\(pageSources)/Sources/Replay/ContrailViewer/Page"),
            module: try PageFiles(folder: "\(pageSources)/Sources/Client/ContrailBrowser/Module"))
        } else {
          try LivePage()
        }
      var files: [String: ServedPage.File] = [:]
      for file in page.files {
        files[file.path] = ServedPage.File(type: file.type, bytes: file.bytes, packed: file.packed)
      }
      return ServedPage(files, policy: LivePage.policy)
    } catch {
      throw ValidationError("the page: \(error)")
    }
  }

  /// Returns the web sites whose pages may use the service; nil if none may.
  func crossOrigin() throws -> CrossOrigin? {
    guard !origins.isEmpty else { return nil }
    do throws(InputError) {
      return try CrossOrigin(origins)
    } catch {
      throw ValidationError("--allow-origin: \(error)")
    }
  }

  /// Opens the page in the browser, from a thread of its own: the program that does it may run as long as the browser.
  static func openPage(_ port: Int, isSecure: Bool) {
    // Browsers keep data only for secure origins, and count localhost as one.
    let url = "\(isSecure ? "https" : "http")://localhost:\(port)/"
    Thread.detachNewThread {
      if !BrowserLauncher.open(url) {
        FileHandle.standardError.write(Data("No program opened the page. Open \(url) in a browser.\n".utf8))
      }
    }
  }
}
