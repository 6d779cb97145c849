import Foundation

/// A JSON document as its leaves by path: `result.hourly.wind[3].speed` and so on.
struct JSONLeaves: Decodable {
  enum Leaf: Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case emptyObject
    case emptyArray
  }

  var leaves: [String: Leaf] = [:]

  init(_ data: Data) throws {
    self = try JSONDecoder().decode(JSONLeaves.self, from: data)
  }

  init(from decoder: any Decoder) throws {
    try collect(Node(from: decoder), "")
  }

  private mutating func collect(_ node: Node, _ path: String) throws {
    switch node {
    case .leaf(let leaf): leaves[path] = leaf
    case .object(let members):
      if members.isEmpty { leaves[path] = .emptyObject }
      for (key, member) in members { try collect(member, path.isEmpty ? key : "\(path).\(key)") }
    case .array(let elements):
      if elements.isEmpty { leaves[path] = .emptyArray }
      for (index, element) in elements.enumerated() { try collect(element, "\(path)[\(index)]") }
    }
  }

  private indirect enum Node: Decodable {
    case leaf(Leaf)
    case object([String: Node])
    case array([Node])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .leaf(.null)
      } else if let members = try? container.decode([String: Node].self) {
        self = .object(members)
      } else if let elements = try? container.decode([Node].self) {
        self = .array(elements)
      } else if let number = try? container.decode(Double.self) {
        self = .leaf(.number(number))
      } else if let bool = try? container.decode(Bool.self) {
        self = .leaf(.bool(bool))
      } else {
        self = .leaf(.text(try container.decode(String.self)))
      }
    }
  }
}
