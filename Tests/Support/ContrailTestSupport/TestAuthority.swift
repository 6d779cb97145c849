#if os(macOS) || os(Linux)
  package import Foundation

  /// An authority that issues certificates for this machine, by openssl.
  package final class TestAuthority: Sendable {
    package static let openssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// A certificate and its private key, as PEM files.
    package struct Issued: Sendable {
      package var certificate: String
      package var key: String
    }

    private let folder: TemporaryDirectory

    /// The certificate of the authority, a PEM file.
    package let certificate: String
    private let key: String

    package init() throws {
      folder = try TemporaryDirectory()
      certificate = folder.file("authority.pem")
      key = folder.file("authority.key")
      try Self.run(
        ["req", "-x509", "-days", "2", "-subj", "/CN=authority", "-keyout", key, "-out", certificate] + Self.newKey)
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    /// Issues a certificate for localhost and 127.0.0.1.
    ///
    /// - Parameters:
    ///   - name: A name for its files.
    ///   - days: How long it is valid; less than 0 for one that has expired.
    ///   - keyOf: The certificate whose key it has as well; nil for a new key.
    ///   - host: Its other name, instead of localhost and 127.0.0.1.
    package func issue(
      _ name: String, days: Int = 1, keyOf other: Issued? = nil, host: String? = nil
    ) throws -> Issued {
      let issued = Issued(certificate: folder.file("\(name).pem"), key: other?.key ?? folder.file("\(name).key"))
      let (request, extensions) = (folder.file("\(name).csr"), folder.file("\(name).ext"))
      let keyArguments = other == nil ? Self.newKey + ["-keyout", issued.key] : ["-key", issued.key]
      try Self.run(["req", "-new", "-subj", "/CN=\(name)", "-out", request] + keyArguments)
      let names = host.map { "DNS:\($0)" } ?? "DNS:localhost,IP:127.0.0.1"
      try TemporaryDirectory.put(Array("subjectAltName=\(names)\n".utf8), extensions)
      try Self.run([
        "x509", "-req", "-in", request, "-CA", certificate, "-CAkey", key, "-set_serial",
        "\(UInt32.random(in: 1 ... .max))", "-days", "\(days)",
        "-extfile", extensions, "-out", issued.certificate,
      ])
      return issued
    }

    /// Returns a PKCS #12 file with a certificate and its key.
    package func pkcs12(_ issued: Issued, passphrase: String) throws -> Data {
      let path = folder.file("\(UInt32.random(in: 0 ... .max)).p12")
      try Self.run([
        "pkcs12", "-export", "-in", issued.certificate, "-inkey", issued.key, "-passout", "pass:\(passphrase)", "-out",
        path,
      ])
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Returns the pin of a certificate's public key, as openssl computes it.
    package static func pin(of certificate: String) throws -> String {
      let text = try output(["x509", "-in", certificate, "-pubkey", "-noout"])
      let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
      let folder = try TemporaryDirectory()
      let path = folder.file("key.der")
      try TemporaryDirectory.put(Data(base64Encoded: base64) ?? Data(), path)
      let digits = try output(["dgst", "-sha256", "-r", path]).prefix(64)
      let bytes = stride(from: 0, to: 64, by: 2).compactMap { offset in
        UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
      }
      return "sha256/" + Data(bytes).base64EncodedString()
    }

    /// Returns a certificate in DER.
    package static func der(of certificate: String) throws -> [UInt8] {
      let text = try String(contentsOfFile: certificate, encoding: .utf8)
      let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
      return Array(Data(base64Encoded: base64) ?? Data())
    }

    private static func run(_ arguments: [String]) throws { _ = try output(arguments) }

    /// Runs openssl, and returns its standard output.
    package static func output(_ arguments: [String]) throws -> String {
      guard let openssl else { throw CocoaError(.executableNotLoadable) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: openssl)
      process.arguments = arguments
      let (output, errors) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let problem = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw OpenSSLError(text: problem) }
      return text
    }

    package struct OpenSSLError: Error {
      package var text: String
    }
  }
#endif
