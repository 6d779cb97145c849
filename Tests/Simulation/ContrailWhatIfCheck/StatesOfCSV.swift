import ContrailCompression
import Foundation

/// Positions of aircraft in a file of comma-separated values, written as OpenSky answers them.
///
/// The columns are time in ISO 8601, address, callsign, latitude, longitude, feet, knots, degrees, and feet per minute; rows are in the
/// order of time.
enum StatesOfCSV {
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// Writes a file of answers, one a line, and returns its path.
  static func write(_ path: String, to folder: String) throws -> String {
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let text = String(decoding: try XZ.decompress(file), as: UTF8.self)
    var answers = ""
    var states: [String] = []
    var time: Int64?
    func end() {
      if let time { answers += #"{"time":\#(time),"states":[\#(states.joined(separator: ","))]}"# + "\n" }
      states = []
    }
    for (number, row) in text.split(separator: "\n").enumerated().dropFirst() {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 9, let date = try? Date(String(fields[0]), strategy: .iso8601) else {
        throw Fault(description: "\(path):\(number + 1): it isn't a position at a time")
      }
      let second = Int64(date.timeIntervalSince1970)
      if second != time { end() }
      time = second
      // An empty field is unknown.
      func value(_ field: Int, times factor: Double = 1) -> String {
        Double(fields[field]).map { "\($0 * factor)" } ?? "null"
      }
      // A foot is 0.3048 m, a knot 1852 m an hour.
      states.append(
        #"["\#(fields[1])","\#(fields[2])","",\#(second),\#(second),\#(value(4)),\#(value(3)),\#(value(5, times: 0.3048)),"#
          + #"false,\#(value(6, times: 1852.0 / 3600)),\#(value(7))]"#)
    }
    end()
    let output = folder + "/" + (URL(filePath: path).lastPathComponent) + ".jsonl"
    try answers.write(toFile: output, atomically: true, encoding: .utf8)
    return output
  }
}
