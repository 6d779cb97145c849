@testable import ContrailWorldDay

/// Files of a recorded day.
enum Day {
  static func read(_ bytes: UnsafeRawBufferPointer, as target: Target) {
    DayFile.bytes = Array(bytes)
    switch target {
    case .pireps:
      var reader = PilotReportReader()
      try? reader.read("day.json")
    case .sigmets:
      var reader = AdvisoryReader()
      try? reader.read("day.json")
    default:
      var reader = StateReader()
      try? reader.read("day.json")
    }
  }
}
