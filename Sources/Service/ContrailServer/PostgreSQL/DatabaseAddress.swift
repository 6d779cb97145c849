#if PostgreSQL
  import CPostgreSQL
  package import ContrailLog

  /// The URL of a database, as `postgresql://user:password@host/name`. Its secrets appear in no message.
  package struct DatabaseAddress: Sendable, CustomStringConvertible {
    let url: String
    /// The URL without user, password and options.
    package let description: String
    private let secrets: [String]

    /// Reads a URL.
    ///
    /// - Throws: ``InputError`` if libpq can't read it. The error doesn't repeat it.
    package init(_ url: String) throws(InputError) {
      guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://"),
        let options = PQconninfoParse(url, nil)
      else {
        throw InputError(
          .database,
          "invalid URL of a database; use one such as postgresql://contrail@host/contrail?sslmode=verify-full")
      }
      defer { PQconninfoFree(options) }
      var values: [String: String] = [:]
      var index = 0
      while let keyword = options[index].keyword {
        if let value = options[index].val { values[String(cString: keyword)] = String(cString: value) }
        index += 1
      }
      self.url = url
      let port = values["port"].map { ":\($0)" } ?? ""
      description = "postgresql://\(values["host"] ?? values["hostaddr"] ?? "")\(port)/\(values["dbname"] ?? "")"
      secrets = ["password", "sslpassword"].compactMap { values[$0] }.filter { !$0.isEmpty }
    }

    /// Returns a message of libpq on one line, without secrets.
    func cleaned(_ message: String) -> String {
      var text = message.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }
        .joined(separator: " ")
      for secret in secrets + [url] {
        while let range = text.firstRange(of: secret) { text.replaceSubrange(range, with: "…") }
      }
      return text
    }
  }
#endif
