import ContrailWire
import Foundation

/// The pins of a server, checked and in the form in which they are compared.
struct PinnedKeys: Sendable {
  private let pins: Set<[UInt8]>
  private let texts: [String]
  private let host: String
  private let report: (@Sendable (Connection.PinFailure) -> Void)?

  private static let prefix = "sha256/"
  private static let hashBytes = 32

  /// Reads the pins of a connection; nil if it has none.
  ///
  /// - Throws: ``ServerURLError`` with `pin` if one is invalid, and `pinsWithoutTLS` if the server's URL doesn't begin with `https`.
  init?(_ connection: Connection, _ origin: Origin) throws(ServerURLError) {
    guard !connection.pins.isEmpty else { return nil }
    guard origin.isSecure else { throw ServerURLError(.withoutTLS) }
    var pins: Set<[UInt8]> = []
    for text in connection.pins {
      guard text.hasPrefix(Self.prefix), let hash = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
        hash.count == Self.hashBytes
      else { throw ServerURLError(.pin(text)) }
      pins.insert(Array(hash))
    }
    self.pins = pins
    texts = connection.pins
    host = origin.host
    report = connection.onPinFailure
  }

  /// Returns the pin of a public key.
  static func pin(ofPublicKey key: some Sequence<UInt8>) -> String {
    prefix + Data(KeyHash.sha256(key)).base64EncodedString()
  }

  /// Checks the certificate of the server, in DER.
  ///
  /// - Returns: The error if no pin accepts it. The application is told of it.
  func refusal(ofCertificate certificate: [UInt8]?) -> TransportError? {
    let key = certificate.flatMap { CertificateKey.publicKey(ofCertificate: $0) }
    if let key, pins.contains(KeyHash.sha256(key)) { return nil }
    let presented = key.map { Self.pin(ofPublicKey: $0) }
    report?(Connection.PinFailure(host: host, presented: presented, pins: texts))
    return .unpinned(host, presented)
  }
}

extension Connection {
  /// Returns the pin of a certificate in DER; nil if it is invalid.
  package static func pin(ofCertificate certificate: [UInt8]) -> String? {
    CertificateKey.publicKey(ofCertificate: certificate).map { PinnedKeys.pin(ofPublicKey: $0) }
  }
}

/// Reads the public key of a certificate (RFC 5280, 4.1).
enum CertificateKey {
  /// Returns the `SubjectPublicKeyInfo` of a certificate, both in DER; nil if the certificate is invalid.
  ///
  /// - Complexity: O(*n*) in the size of the certificate.
  static func publicKey(ofCertificate certificate: [UInt8]) -> ArraySlice<UInt8>? {
    var file = DER(rest: certificate[...])
    guard let whole = file.next(.sequence), file.rest.isEmpty else { return nil }
    var parts = DER(rest: whole.content)
    guard let signed = parts.next(.sequence) else { return nil }
    var fields = DER(rest: signed.content)
    // The version, which the first version leaves out.
    if fields.rest.first == DER.Tag.version.rawValue, fields.next(.version) == nil { return nil }
    guard fields.next(.integer) != nil else { return nil }
    // The signature's algorithm, the issuer, the dates and the subject.
    for _ in 0..<4 where fields.next(.sequence) == nil { return nil }
    return fields.next(.sequence)?.element
  }

  private struct DER {
    enum Tag: UInt8 {
      case integer = 0x02
      case sequence = 0x30
      case version = 0xA0
    }

    var rest: ArraySlice<UInt8>

    /// Removes and returns the next element and its content; nil if it is invalid or has another tag.
    mutating func next(_ tag: Tag) -> (element: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
      var head = rest
      guard head.popFirst() == tag.rawValue, let first = head.popFirst() else { return nil }
      var length = Int(first)
      if first > 0x7F {
        // No certificate has a megabyte, so three bytes are enough.
        let count = Int(first & 0x7F)
        guard (1...3).contains(count), head.count >= count else { return nil }
        length = head.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        head = head.dropFirst(count)
      }
      guard head.count >= length else { return nil }
      let content = head.prefix(length)
      let element = rest[rest.startIndex..<content.endIndex]
      rest = rest[content.endIndex...]
      return (element, content)
    }
  }
}
