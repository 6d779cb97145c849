import Foundation
import SwiftParser

/// Prints the places of Swift files that can be mutated, as JSON: an array for each file, in the order of the arguments.
@main enum FindMutants {
  static func main() {
    do {
      let found = try CommandLine.arguments.dropFirst().map { path in
        sites(in: try String(contentsOfFile: path, encoding: .utf8))
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      FileHandle.standardOutput.write(try encoder.encode(found))
    } catch {
      FileHandle.standardError.write(Data("find-mutants: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Returns the places of a file, with offsets in Unicode scalars.
  static func sites(in text: String) -> [Site] {
    let finder = SiteFinder(viewMode: .sourceAccurate)
    finder.walk(Parser.parse(source: text))
    // The number of scalars before each byte.
    var scalars: [Int] = []
    var count = 0
    for byte in text.utf8 {
      scalars.append(count)
      // The bytes after a scalar's first have the form 10xxxxxx.
      count += byte & 0xC0 == 0x80 ? 0 : 1
    }
    scalars.append(count)
    return finder.sites().map { $0.moved { scalars[$0] } }
  }
}
