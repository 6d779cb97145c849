import CContrail

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
  /// Whether the memory layout of a report is that of the C declaration.
  package static var isLaidOutAsInC: Bool {
    #if arch(wasm32)
      // There are no vectors to lay it out for.
      false
    #else
      MemoryLayout<TurbulenceReport>.stride == MemoryLayout<contrail_report>.stride
        && MemoryLayout<TurbulenceReport>.alignment == MemoryLayout<contrail_report>.alignment
        && withUnsafeBytes(of: TurbulenceReport(packed: 1, observedAt: 2)) {
          // Two numbers, the second right behind the first, as in C.
          $0.load(as: UInt64.self) == 1 && $0.load(fromByteOffset: 8, as: UInt32.self) == 2
        }
    #endif
  }
}
