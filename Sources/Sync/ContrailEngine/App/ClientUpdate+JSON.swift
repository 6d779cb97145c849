package import ContrailCore
package import ContrailWire

// Errors and updates as JSON, for shells in other languages.

extension ClientError {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("code", code.rawValue)
      json.nullable("scope", scope?.name)
      json.nullable("host", host)
      json.member("message", message)
      json.member("advice", advice)
      json.member("isTransient", isTransient)
    }
  }
}

extension ClientUpdate {
  /// - Parameter newTypes: The types of which a response contained new records, by scope.
  package func write(to json: inout JSONWriter, _ newTypes: [ScopeID: DataTypeOptions]) {
    func write(_ kind: String, _ scope: ScopeID? = nil, to json: inout JSONWriter) {
      json.object { json in
        json.member("kind", kind)
        if let scope { json.member("scope", scope.name) }
        if kind == "data", let scope, let types = newTypes[scope] { json.member("types", types) }
      }
    }
    switch self {
    case .opened: write("opened", to: &json)
    case .stored(let scope): write("stored", scope, to: &json)
    case .data(let scope): write("data", scope, to: &json)
    case .confirmed(let scope): write("confirmed", scope, to: &json)
    case .filtered(let scope): write("filtered", scope, to: &json)
    case .expired(let scope): write("expired", scope, to: &json)
    case .failed(let error):
      json.object { json in
        json.member("kind", "failed")
        if let scope = error.scope { json.member("scope", scope.name) }
        json.nullable("error", error)
      }
    case .recovered(let scope): write("recovered", scope, to: &json)
    case .status(let scope): write("status", scope, to: &json)
    case .saving(let saving):
      json.object { json in
        json.member("kind", "saving")
        json.member("saving", saving.rawValue)
      }
    case .rebuilt: write("rebuilt", to: &json)
    case .airportsRebuilt: write("airportsRebuilt", to: &json)
    }
  }
}

extension JSONWriter {
  /// Writes a member, or null. ``member(_:_:)`` leaves nil out.
  package mutating func nullable(_ name: StaticString, _ integer: Int64?) {
    key(name)
    if let integer { value(integer) } else { null() }
  }

  package mutating func nullable(_ name: StaticString, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  package mutating func nullable(_ name: StaticString, _ error: ClientError?) {
    key(name)
    if let error { error.write(to: &self) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ types: DataTypeOptions?) {
    key(name)
    guard let types else { return null() }
    array { json in
      for (name, option) in DataTypeOptions.names where types.contains(option) { json.value(name) }
    }
  }
}
