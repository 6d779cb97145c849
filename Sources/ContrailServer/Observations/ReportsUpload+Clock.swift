#if Online
  import ContrailWire

  extension ReportsUpload {
    /// By how many seconds a device's clock may be ahead of ours.
    static let clockTolerance: Int64 = 120

    /// Reads an upload; a report from the future is refused, since it would never expire.
    init(json bytes: UnsafeRawBufferPointer, now: Int64) throws(WireFault) {
      try self.init(json: bytes)
      let newest = reports.reduce(Int64(0)) { max($0, Int64($1.observedAt)) }
      guard newest <= now + Self.clockTolerance else {
        throw WireFault.fromTheFuture(observedAt: newest, token: now)
      }
    }
  }
#endif
