import CContrailPage
import ContrailLog
import ContrailQuery
import ContrailWire

/// The files that the viewer's page consists of, by their paths below its folder.
package struct PageFiles: Sendable {
  package let bytes: [String: [UInt8]]

  /// Creates a page from files.
  package init(_ bytes: [String: [UInt8]]) {
    self.bytes = bytes
  }

  /// The files that are part of this program, and the colours of turbulence.
  package static var bundled: PageFiles {
    var bytes: [String: [UInt8]] = [:]
    for index in 0..<contrail_page_file_count() {
      let file = contrail_page_file_at(index)
      bytes[String(cString: file.name)] = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
    bytes["turbulence-style.js"] = Array(turbulenceStyles.utf8)
    return PageFiles(bytes)
  }

  /// The files of the client for browsers that are part of this program.
  package static var bundledModule: PageFiles {
    var bytes: [String: [UInt8]] = [:]
    for index in 0..<contrail_module_file_count() {
      let file = contrail_module_file_at(index)
      bytes[String(cString: file.name)] = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
    return PageFiles(bytes)
  }

  /// Reads the files of a folder, for work on them.
  ///
  /// - Throws: ``PageError`` if a file can't be read.
  package init(folder: String) throws(PageError) {
    var bytes = ["turbulence-style.js": Array(Self.turbulenceStyles.utf8)]
    var names = try Self.names(in: folder)
    while let name = names.popLast() {
      let path = "\(folder)/\(name)"
      if (try? POSIXStorage().kind(of: path)) == .directory {
        names += try Self.names(in: path).map { "\(name)/\($0)" }
      } else {
        guard let stamp = FileBytes.stamp(of: path), let contents = FileBytes.read(path, in: 0..<stamp.size) else {
          throw PageError(.unreadable, file: path, reason: "the file can't be read")
        }
        bytes[name] = contents
      }
    }
    self.init(bytes)
  }

  private static func names(in folder: String) throws(PageError) -> [String] {
    do throws(StorageError) {
      return try POSIXStorage().names(in: folder)
    } catch {
      throw PageError(.unreadable, file: folder, reason: error.description)
    }
  }

  /// The module that has the colours of `TurbulenceStyle`, by severity. The page's `palette.js` imports it.
  package static var turbulenceStyles: String {
    func values(_ name: String, _ color: TurbulenceStyle.Color) -> String {
      "\(name): [\(color.rgb.red), \(color.rgb.green), \(color.rgb.blue)]"
    }
    let rows = TurbulenceSeverity.allCases.map { severity in
      let fill = TurbulenceStyle.fill(severity)
      var row = "\(values("color", fill)), alpha: \(fill.alpha)"
      if let border = TurbulenceStyle.border(severity) {
        row += ", \(values("border", border)), borderAlpha: \(border.alpha)"
      }
      return "  { \(row) },\n"
    }
    return "export const turbulenceStyles = [\n\(rows.joined())];\n"
  }

  /// Returns the contents of a file.
  ///
  /// - Throws: ``PageError/Code/fileMissing``.
  func contents(_ name: String) throws(PageError) -> [UInt8] {
    guard let bytes = bytes[name] else {
      throw PageError(.fileMissing, file: name, reason: "the page has no such file")
    }
    return bytes
  }

  /// Returns the contents of a file as text.
  func text(_ name: String) throws(PageError) -> String { String(decoding: try contents(name), as: UTF8.self) }
}
