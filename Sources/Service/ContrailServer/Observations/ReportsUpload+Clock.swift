import ContrailWire

extension ReportsUpload {
  /// The tolerance in seconds for device clocks that are ahead.
  static let clockTolerance: Int64 = 120

  /// Decodes an upload. Reports from the future are refused, because they would never expire.
  init(json bytes: UnsafeRawBufferPointer, now: Int64) throws(WireError) {
    try self.init(json: bytes)
    let newest = reports.reduce(Int64(0)) { max($0, Int64($1.observedAt)) }
    guard newest <= now + Self.clockTolerance else {
      throw WireError.fromTheFuture(observedAt: newest, token: now)
    }
  }
}
