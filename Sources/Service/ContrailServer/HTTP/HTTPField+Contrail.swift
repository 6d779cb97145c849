import ContrailWire
import HTTPTypes

extension HTTPField.Name {
  static let contrailTime = Self.named(WireHeader.serverTime)
  static let contrailArea = Self.named(WireHeader.area)
  static let contrailRepairs = Self.named(WireHeader.repairs)
  static let contrailSince = Self.named(WireHeader.since)
  static let contrailTraffic = Self.named(WireHeader.traffic)
  static let contrailSimulatedTime = Self.named(WireHeader.simulatedTime)
  static let contrailFault = Self.named(WireHeader.fault)
  static let apiKey = Self.named(WireHeader.apiKey)
  static let idempotencyKey = Self.named(WireHeader.idempotencyKey)

  /// Creates a name from one of the literals above. An invalid name would fail at the first use.
  private static func named(_ name: String) -> Self { Self(name)! }
}
