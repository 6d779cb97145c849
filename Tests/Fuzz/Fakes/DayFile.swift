/// The file that the fuzzer reads: its bytes, whatever the path.
enum DayFile {
  nonisolated(unsafe) static var bytes: [UInt8] = []

  static func contents(of path: String) throws(DayError) -> [UInt8] { bytes }
}
