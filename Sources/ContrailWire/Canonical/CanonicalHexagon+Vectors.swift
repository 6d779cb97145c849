import CContrailVectors

extension CanonicalHexagon {
  /// Whether the processor supports decoding hexagons with vector instructions.
  static let hasVectors = contrail_reads_hexagons() && TurbulenceReport.isLaidOutAsInC

  /// Decodes hexagons into `room`, up to the first one that requires ``init(_:_:)``.
  ///
  /// Requires ``hasVectors``. Initializes only the decoded elements of `room`.
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
  /// Whether the memory layout of a report is that of the C declaration. Constant at compile time.
  package static var isLaidOutAsInC: Bool {
    #if hasFeature(Embedded)
      // There are no key paths to find out with, and no vectors.
      false
    #else
      MemoryLayout<TurbulenceReport>.stride == MemoryLayout<contrail_report>.stride
        && MemoryLayout<TurbulenceReport>.alignment == MemoryLayout<contrail_report>.alignment
        && MemoryLayout<TurbulenceReport>.offset(of: \.packed) == MemoryLayout<contrail_report>.offset(of: \.packed)
        && MemoryLayout<TurbulenceReport>.offset(of: \.observedAt)
          == MemoryLayout<contrail_report>.offset(of: \.observed_at)
    #endif
  }
}
