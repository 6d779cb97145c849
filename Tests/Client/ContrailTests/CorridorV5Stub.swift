import ContrailHTTP
import ContrailTestSupport
import Foundation

/// The corridor endpoint as the turbulence service's public pages describe it, over a real socket, and nothing else.
///
/// It knows none of Contrail's code but the socket. What the pages don't name is a fault, and is answered with 400.
final class CorridorV5Stub: Sendable {
  /// A hexagon of an answer.
  struct Hexagon: Sendable {
    var id = "85283083fffffff"
    var alt = 38
    var sev = 2
    var edr = 0.1121
    /// Seconds since 1970.
    var observedAt: Int
  }

  private struct World {
    /// Seconds since 1970.
    var second: Int
    var hexagons: [Hexagon] = []
    var credential: String
    /// The statuses of the next answers, each with `Retry-After` in seconds.
    var refusals: [(status: Int, retryAfter: Int?)] = []
    var faults: [String] = []
  }

  /// The header fields that the pages and HTTP itself need, in lower case, besides that of the credential.
  private static let fields: Set = [
    "host", "content-type", "content-length", "accept", "accept-encoding", "connection",
  ]
  private static let members: Set = ["corridor", "lastUpdatedAt", "hours", "aircraftCategory", "altFrom", "altTo"]

  private let world: Lock<World>
  private let server: ScriptedServer

  /// - Parameters:
  ///   - field: The name of the header field that carries the credential, in lower case.
  ///   - credential: The whole value of the field.
  ///   - second: The time, in seconds since 1970.
  init(field: String = "x-api-key", credential: String, second: Int) throws {
    let world = Lock(World(second: second, credential: credential))
    self.world = world
    server = try ScriptedServer { request in
      let (status, retryAfter, json) = world.withLock { Self.answer(request, field, &$0) }
      var headers = ["Content-Type": "application/json; charset=utf-8"]
      if let retryAfter { headers["Retry-After"] = "\(retryAfter)" }
      return [.answer(status, headers, json)]
    }
  }

  var address: String { server.address }
  /// The requests that the stub has received.
  var requests: [ScriptedServer.Request] { server.requests }
  /// A description of each request that the pages don't allow, in their order.
  var faults: [String] { world.withLock { $0.faults } }
  /// The bodies of those requests.
  var bodies: [String] { requests.map { String(decoding: $0.body, as: UTF8.self) } }

  func add(_ hexagon: Hexagon) { world.withLock { $0.hexagons.append(hexagon) } }
  func setTime(_ second: Int) { world.withLock { $0.second = second } }
  func setCredential(_ credential: String) { world.withLock { $0.credential = credential } }

  /// Answers the next request with a status.
  func refuse(_ status: Int, retryAfter: Int? = nil) { world.withLock { $0.refusals.append((status, retryAfter)) } }

  // MARK: Answers

  private static func answer(
    _ request: ScriptedServer.Request, _ field: String, _ world: inout World
  ) -> (status: Int, retryAfter: Int?, json: [UInt8]) {
    if let fault = fault(of: request, field) {
      world.faults.append(fault)
      return (400, nil, error(400, "FST_ERR_VALIDATION", "Bad Request", fault))
    }
    guard request.header(field) == world.credential else {
      return (401, nil, error(401, "UNAUTHORIZED", "Unauthorized", "the credential is invalid"))
    }
    if !world.refusals.isEmpty {
      let (status, retryAfter) = world.refusals.removeFirst()
      return (status, retryAfter, error(status, "REFUSED", "Refused", "refused by the test"))
    }
    let body = object(request.body) ?? [:]
    let since = (body["lastUpdatedAt"] as? NSNumber)?.intValue ?? 0
    let oldest = world.second - Int(((body["hours"] as? NSNumber)?.doubleValue ?? 2) * 3600)
    let bottom = (body["altFrom"] as? NSNumber)?.intValue ?? 5
    let top = (body["altTo"] as? NSNumber)?.intValue ?? 52
    let hexagons = world.hexagons.filter {
      $0.observedAt > max(since, oldest) && $0.observedAt <= world.second && (bottom...top).contains($0.alt)
    }
    let texts = hexagons.map {
      #"{"id":"\#($0.id)","alt":\#($0.alt),"sev":\#($0.sev),"edr":\#($0.edr),"observedAt":\#($0.observedAt)}"#
    }
    let data = #"{"lastUpdatedAt":\#(world.second),"hexagons":[\#(texts.joined(separator: ","))]}"#
    return (200, nil, Array(#"{"data":\#(data),"meta":{},"links":{},"warnings":{}}"#.utf8))
  }

  private static func error(_ status: Int, _ code: String, _ error: String, _ message: String) -> [UInt8] {
    let data = #"{"statusCode":\#(status),"code":"\#(code)","error":"\#(error)","message":"\#(message)"}"#
    return Array(#"{"data":\#(data),"meta":{},"links":{},"warnings":{}}"#.utf8)
  }

  // MARK: Faults

  private static func fault(of request: ScriptedServer.Request, _ field: String) -> String? {
    guard request.method == "POST", request.target == "/observations/v5/corridor" else {
      return "\(request.method) \(request.target)"
    }
    let known = fields.union([field])
    if let other = request.headers.first(where: { !known.contains($0.name.lowercased()) }) {
      return "header field \(other.name)"
    }
    guard request.header("content-type") == "application/json" else { return "no JSON" }
    guard let body = object(request.body) else { return "body must be an object" }
    if let other = body.keys.first(where: { !members.contains($0) }) { return "member \(other)" }
    guard let corridor = body["corridor"] as? [String: Any] else {
      return "body must have required property 'corridor'"
    }
    if let fault = fault(of: corridor) { return fault }
    if let since = body["lastUpdatedAt"], !((since as? NSNumber).map { $0.doubleValue == Double($0.intValue) } ?? false)
    {
      return "lastUpdatedAt must be a Unix time"
    }
    let hours = (body["hours"] as? NSNumber)?.doubleValue ?? 2
    guard [0.5, 1, 2, 4].contains(hours) else { return "hours \(hours)" }
    let (from, to) = ((body["altFrom"] as? NSNumber)?.intValue ?? 5, (body["altTo"] as? NSNumber)?.intValue ?? 52)
    guard 5 <= from, from <= to, to <= 52 else { return "altitudes \(from) to \(to)" }
    guard body["aircraftCategory"].map({ $0 is String }) ?? true else { return "aircraftCategory must be a text" }
    return nil
  }

  private static func fault(of corridor: [String: Any]) -> String? {
    guard Set(corridor.keys) == ["type", "coordinates"], corridor["type"] as? String == "Polygon",
      let rings = corridor["coordinates"] as? [[[Double]]], rings.count == 1
    else { return "corridor must be a Polygon" }
    let ring = rings[0]
    guard (4...250).contains(ring.count), ring.first == ring.last else { return "a ring of \(ring.count) points" }
    guard ring.allSatisfy({ $0.count == 2 && abs($0[0]) <= 180 && abs($0[1]) <= 90 }) else { return "a position" }
    // RFC 7946, section 3.1.9: no part crosses the antimeridian.
    guard zip(ring, ring.dropFirst()).allSatisfy({ abs($0[0] - $1[0]) <= 180 }) else { return "an edge over 180°" }
    return nil
  }

  private static func object(_ body: [UInt8]) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
  }
}
