package import ContrailHTTP
import ContrailWire
package import ContrailWorld
import Foundation

/// Asks feeds over HTTP, and reads files and directories.
package actor FeedFetcher {
  /// The credentials of a client of OpenSky.
  package struct OpenSkyClient: Sendable {
    package var id: String
    package var secret: String
    /// The URL at which tokens are issued.
    package var tokenURL = "https://auth.opensky-network.org/auth/realms/opensky-network/protocol/openid-connect/token"

    package init(id: String, secret: String) { (self.id, self.secret) = (id, secret) }
  }

  private static let maximumFiles = 1000

  private let agent: String
  private let certificate: String?
  private let openSky: OpenSkyClient?
  private var token: (value: String, until: Int64)?
  private var transports: [String: any ClosableTransport] = [:]

  /// - Parameters:
  ///   - agent: The `User-Agent` of requests.
  ///   - certificate: The path of a PEM file with certificates to trust besides the system's.
  ///   - openSky: The credentials for OpenSky, which are sent only to its token URL.
  package init(agent: String, trusting certificate: String? = nil, openSky: OpenSkyClient? = nil) {
    (self.agent, self.certificate, self.openSky) = (agent, certificate, openSky)
  }

  /// Checks that requests to a source are possible.
  ///
  /// - Throws: ``ServerURLError`` if its URL or the certificate is invalid.
  package func check(_ source: FeedSource) throws(ServerURLError) {
    guard case .url(let url) = source.location else { return }
    _ = try transport(Self.split(url).origin)
  }

  /// Asks a source.
  package func fetch(_ request: Poller.Request, now: Int64) async -> Poller.Outcome {
    switch request.source.location {
    case .path(let path): return Self.read(path)
    case .url(let url): return await ask(url, request, now: now)
    }
  }

  package func shutdown() async {
    for transport in transports.values { await transport.shutdown() }
    transports = [:]
  }

  // MARK: HTTP

  private func ask(_ url: String, _ request: Poller.Request, now: Int64) async -> Poller.Outcome {
    var (origin, target) = Self.split(url)
    if let parameter = request.source.ageParameter {
      target += (target.contains("?") ? "&" : "?") + "\(parameter)=\(request.hours)"
    }
    var headers: [(name: String, value: String)] = [("User-Agent", agent), ("Accept-Encoding", "gzip")]
    if let tag = request.entityTag { headers.append(("If-None-Match", tag)) }
    if let modified = request.modified { headers.append(("If-Modified-Since", modified)) }
    do throws(TransportError) {
      if request.source.isOpenSky, let openSky {
        headers.append(("Authorization", "Bearer \(try await openSkyToken(openSky, now: now))"))
      }
      let transport: any ClosableTransport
      do throws(ServerURLError) {
        transport = try self.transport(origin)
      } catch {
        return .failure("\(error)")
      }
      let answer = try await transport.send(
        TransportRequest(
          method: "GET", target: target, headers: headers, timeoutSeconds: request.timeoutSeconds,
          maximumBodyBytes: request.maximumBytes))
      if answer.status == 401 { token = nil }
      let retryAfter = answer.header("Retry-After") ?? answer.header("X-Rate-Limit-Retry-After-Seconds")
      return .answer(
        status: answer.status, entityTag: answer.header("ETag"), modified: answer.header("Last-Modified"),
        retryAfterSeconds: retryAfter.flatMap { Self.seconds($0, from: now) },
        creditsLeft: answer.header("X-Rate-Limit-Remaining").flatMap { Int64($0) },
        body: try answer.unpackedBody(limit: request.maximumBytes))
    } catch {
      return .failure("\(error)")
    }
  }

  /// Returns the seconds of `Retry-After`, which is a number or a date (RFC 9110, 10.2.3).
  ///
  /// - Parameter now: The time in milliseconds since 1970.
  static func seconds(_ retryAfter: String, from now: Int64) -> Int64? {
    if let seconds = Int64(retryAfter) { return seconds }
    return DateField.seconds(retryAfter).map { max($0 - now / 1000, 0) }
  }

  /// Returns a token, which is used until a minute before it expires.
  private func openSkyToken(_ client: OpenSkyClient, now: Int64) async throws(TransportError) -> String {
    if let token, token.until > now { return token.value }
    let (origin, target) = Self.split(client.tokenURL)
    let form = [
      ("grant_type", "client_credentials"), ("client_id", client.id), ("client_secret", client.secret),
    ].map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
    let transport: any ClosableTransport
    do throws(ServerURLError) {
      transport = try self.transport(origin)
    } catch {
      throw TransportError(.malformed, "\(error)")
    }
    let answer = try await transport.send(
      TransportRequest(
        method: "POST", target: target,
        headers: [("User-Agent", agent), ("Content-Type", "application/x-www-form-urlencoded")],
        body: Array(form.utf8), timeoutSeconds: 30, maximumBodyBytes: 1 << 20))
    struct Token: Decodable {
      var value: String
      var seconds: Int64?

      enum CodingKeys: String, CodingKey {
        case value = "access_token"
        case seconds = "expires_in"
      }
    }
    guard answer.status == 200, let issued = try? JSONDecoder().decode(Token.self, from: Data(answer.body)) else {
      throw TransportError(.malformed, "the token was refused with the status \(answer.status); check the credentials")
    }
    token = (issued.value, now + (min(max(issued.seconds ?? 300, 60), 86_400) - 60) * 1000)
    return issued.value
  }

  private func transport(_ origin: String) throws(ServerURLError) -> any ClosableTransport {
    if let known = transports[origin] { return known }
    let made = try PlatformTransport.make(server: origin, trusting: certificate)
    transports[origin] = made
    return made
  }

  /// Returns the origin of a URL, and its path with the query.
  private static func split(_ url: String) -> (origin: String, target: String) {
    let start = url.range(of: "://")?.upperBound ?? url.startIndex
    let end = url[start...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
    let target = String(url[end...])
    return (String(url[..<end]), target.hasPrefix("/") ? target : "/" + target)
  }

  /// Encodes all but the unreserved characters (RFC 3986, 2.3).
  private static func encoded(_ text: String) -> String {
    let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  // MARK: Files

  /// Returns the sources with one for each file of a directory, in the order of their names, at most 1,000.
  ///
  /// A directory without readable files stays in the list. Reading it fails, so operators see it.
  package static func expanded(_ sources: [FeedSource]) -> [FeedSource] {
    sources.flatMap { source -> [FeedSource] in
      guard case .path(let path) = source.location, isDirectory(path) else { return [source] }
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
        !$0.hasPrefix(".") && !isDirectory("\(path)/\($0)")
      }
      guard !names.isEmpty else { return [source] }
      return names.sorted().prefix(maximumFiles).map { name in
        var file = source
        file.location = .path("\(path)/\(name)")
        file.name = "file.\(name)"
        return file
      }
    }
  }

  package static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  /// Returns the records of a file; nil if the source isn't one, or can't be read.
  package static func records(ofFile source: FeedSource) -> FeedRecords? {
    guard case .path(let path) = source.location, case .answer(_, _, _, _, _, let body) = read(path) else { return nil }
    return try? FeedReader.complete.read(body, from: source.name, expecting: source.kind)
  }

  /// Reads a file. A program that writes it regularly renames it into place, so that it is read as a whole.
  private static func read(_ path: String) -> Poller.Outcome {
    guard !isDirectory(path) else { return .failure("the directory \(path) has no files that can be read") }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return .failure("\(path) isn't a file") }
    guard let size = attributes?[.size] as? Int64, size <= Int64(FeedReader.maximumBytes) else {
      return .failure("\(path) is larger than \(FeedReader.maximumBytes) bytes")
    }
    guard let data = FileManager.default.contents(atPath: path) else { return .failure("\(path) can't be read") }
    return .answer(status: 200, entityTag: nil, modified: nil, retryAfterSeconds: nil, body: Array(data))
  }
}
