import CContrailVectors

extension CanonicalHexagon {
  /// Whether this processor reads hexagons by vectors.
  static let hasVectors = contrail_reads_hexagons() && TurbulenceReport.isLaidOutAsInC

  /// Reads hexagons up to the first that the vectors leave to ``init(_:_:)``, and initializes as much of `room`.
  ///
  /// Call it only where ``hasVectors`` says so.
  @inline(__always)
  static func run(
    of bytes: UnsafeRawBufferPointer, into room: UnsafeMutableBufferPointer<TurbulenceReport>
  ) -> contrail_hexagon_run {
    guard let base = bytes.baseAddress, let start = room.baseAddress else { return contrail_hexagon_run() }
    return start.withMemoryRebound(to: contrail_report.self, capacity: room.count) {
      contrail_read_hexagons(base, bytes.count, $0, room.count)
    }
  }
}

extension TurbulenceReport {
  /// Whether a report lies in memory as C declares it; a constant.
  package static var isLaidOutAsInC: Bool {
    MemoryLayout<TurbulenceReport>.stride == MemoryLayout<contrail_report>.stride
      && MemoryLayout<TurbulenceReport>.alignment == MemoryLayout<contrail_report>.alignment
      && MemoryLayout<TurbulenceReport>.offset(of: \.packed) == MemoryLayout<contrail_report>.offset(of: \.packed)
      && MemoryLayout<TurbulenceReport>.offset(of: \.observedAt)
        == MemoryLayout<contrail_report>.offset(of: \.observed_at)
  }
}
