package import ContrailLog
import ContrailWire

/// What a provider charges for a link. Amounts are in thousandths of the currency.
package struct Tariff: Sendable, Hashable {
  package var name: String
  package var title = ""
  /// Where the figures come from.
  package var source = ""
  package var currency = ""
  /// The price of a million bytes.
  package var perMBMilli: Int64 = 0
  /// The lowest charge for a session.
  package var minimumPerSessionMilli: Int64 = 0
  /// The bytes of a session are rounded up to a multiple of this.
  package var stepBytes: Int64 = 1
  /// The time without bytes after which a session ends, in seconds.
  package var idleSeconds: Int64 = 60

  package init(name: String) {
    self.name = name
  }

  /// A session of the link.
  package struct Session: Sendable, Hashable {
    /// The start and the end of the activity, in milliseconds since 1970.
    package var fromMS: Int64
    package var toMS: Int64
    package var bytes: Int64

    package init(fromMS: Int64, toMS: Int64, bytes: Int64) {
      (self.fromMS, self.toMS, self.bytes) = (fromMS, toMS, bytes)
    }
  }

  /// Returns the sessions of exchanges: each ends after ``idleSeconds`` without an exchange.
  ///
  /// - Parameter exchanges: The exchanges, in the order of their starts.
  package func sessions(_ exchanges: [Session]) -> [Session] {
    var sessions: [Session] = []
    for exchange in exchanges {
      if let last = sessions.indices.last, exchange.fromMS <= sessions[last].toMS + idleSeconds * 1000 {
        sessions[last].toMS = max(sessions[last].toMS, exchange.toMS)
        sessions[last].bytes += exchange.bytes
      } else {
        sessions.append(exchange)
      }
    }
    return sessions
  }

  /// Returns the cost of sessions, in thousandths of the currency.
  package func costMilli(_ sessions: [Session]) -> Int64 {
    sessions.reduce(0) { sum, session in
      let steps = (session.bytes + stepBytes - 1) / stepBytes
      return sum + max(minimumPerSessionMilli, steps * stepBytes * perMBMilli / 1_000_000)
    }
  }
}

extension Tariff {
  /// The tariffs that come with the program. They are examples.
  package static let all: [Tariff] = [PackageResources.tariff_volume_json, PackageResources.tariff_session_json]
    .compactMap { try? Tariff(json: $0, name: "") }

  /// Returns the tariff with a name; nil if there is none.
  package static func named(_ name: String) -> Tariff? { all.first { $0.name == name } }

  /// Creates a tariff from the JSON of a file.
  ///
  /// - Parameters:
  ///   - bytes: The JSON: `name`, `title`, `source`, `currency`, `perMB`, `minimumPerSession`, `stepBytes`, `idleSeconds`.
  ///   - name: The name for messages, such as the path.
  /// - Throws: ``InputError`` if a member is missing or out of range.
  package init(json bytes: [UInt8], name file: String) throws(InputError) {
    var tariff = Tariff(name: file)
    let fault: JSONError? = bytes.withUnsafeBytes { bytes in
      do throws(JSONError) {
        var json = JSONReader(bytes)
        try json.object { (key, json) throws(JSONError) in
          switch key {
          case "name": tariff.name = try json.string()
          case "title": tariff.title = try json.string()
          case "source": tariff.source = try json.string()
          case "currency": tariff.currency = try json.string()
          case "perMB": tariff.perMBMilli = try json.amount()
          case "minimumPerSession": tariff.minimumPerSessionMilli = try json.amount()
          case "stepBytes": tariff.stepBytes = try json.integer(in: 1...1_000_000_000)
          case "idleSeconds": tariff.idleSeconds = try json.integer(in: 0...86_400)
          default: throw json.fault("a member of a tariff is misspelt")
          }
        }
        try json.end()
        return nil
      } catch {
        return error
      }
    }
    if let fault { throw InputError(.model, at: file, "\(fault.reason), at byte \(fault.offset)") }
    guard !tariff.source.isEmpty, !tariff.currency.isEmpty else {
      throw InputError(.model, at: file, "a tariff must have a 'currency' and name the 'source' of its figures")
    }
    self = tariff
  }
}

extension JSONReader {
  /// Reads an amount, in thousandths.
  fileprivate mutating func amount() throws(JSONError) -> Int64 {
    let amount = try scaled(by: 3)
    guard (0...1_000_000_000).contains(amount) else { throw fault("an amount is from 0 to 1,000,000") }
    return amount
  }
}
