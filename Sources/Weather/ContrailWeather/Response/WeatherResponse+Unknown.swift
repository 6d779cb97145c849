public import Foundation

extension WeatherResponse {
  /// Returns the paths of a response that decoding ignores or encoding changes, such as `result.alert.content[].new`.
  ///
  /// The service may add keys at any time. An empty array means that the model contains the whole response. The indices
  /// of array elements are omitted, and each path is listed once, in alphabetical order.
  ///
  /// - Parameter data: A response as JSON.
  /// - Throws: ``WeatherError``, as ``init(json:)``.
  /// - Complexity: O(bytes of the response).
  public static func unknownPaths(in data: Data) throws(WeatherError) -> [String] {
    let encoded = try WeatherResponse(json: data).json()
    do {
      let decoder = JSONDecoder()
      let original = try decoder.decode(JSONValue.self, from: data)
      return Set(original.paths(missingIn: try decoder.decode(JSONValue.self, from: encoded))).sorted()
    } catch {
      throw WeatherError(.malformed, reason: "the response can't be decoded (\(type(of: error)))")
    }
  }
}

/// Any JSON value.
enum JSONValue: Hashable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let members = try? container.decode([String: JSONValue].self) {
      self = .object(members)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Returns the paths of values that aren't the same in another value.
  func paths(missingIn other: JSONValue?, at path: String = "") -> [String] {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      return members.flatMap { key, member in
        member.paths(missingIn: others[key], at: path.isEmpty ? key : "\(path).\(key)")
      }
    case (.array(let elements), .array(let others)):
      return elements.enumerated().flatMap { index, element in
        element.paths(missingIn: index < others.count ? others[index] : nil, at: "\(path)[]")
      }
    default: return self == other ? [] : [path]
    }
  }
}
