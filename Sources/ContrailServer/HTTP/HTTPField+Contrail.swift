#if Online
  import ContrailWire
  import HTTPTypes

  extension HTTPField.Name {
    static let contrailTime = Self.named(WireHeader.serverTime)
    static let contrailSimulatedTime = Self.named(WireHeader.simulatedTime)
    static let contrailFault = Self.named(WireHeader.fault)
    static let apiKey = Self.named(WireHeader.apiKey)
    static let idempotencyKey = Self.named(WireHeader.idempotencyKey)

    /// The names are the literals above: one that HTTP forbids is a mistake that the first request would show.
    private static func named(_ name: String) -> Self { Self(name)! }
  }
#endif
