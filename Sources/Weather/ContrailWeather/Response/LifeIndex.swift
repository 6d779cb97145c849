/// `life_index`: the suitability of the weather for activities. `Value` is the current index, or one per day.
public struct LifeIndex<Value> {
  public var ultraviolet: Value?
  public var comfort: Value?
  public var carWashing: Value?
  public var coldRisk: Value?
  public var dressing: Value?

  public init() {}
}

extension LifeIndex: Equatable where Value: Equatable {}
extension LifeIndex: Hashable where Value: Hashable {}
extension LifeIndex: Sendable where Value: Sendable {}
extension LifeIndex: Codable where Value: Codable {}

/// A life index: a level on its scale (``LifeIndexScale``), and its description.
public struct IndexWithDescription: Hashable, Sendable, Codable {
  /// `index`
  public var index: IndexValue?
  /// `desc`: in the response's language.
  public var description: String?

  public init(index: IndexValue? = nil, description: String? = nil) {
    self.index = index
    self.description = description
  }

  private enum CodingKeys: String, CodingKey {
    case index
    case description = "desc"
  }
}

/// A level in the service's form: a number in `realtime`, text in `daily`. Encoded in the form in which it was decoded.
public enum IndexValue: Hashable, Sendable {
  case number(Double)
  case text(String)

  /// The level as an integer; nil if it isn't an integer.
  public var level: Int? {
    switch self {
    case .number(let number): Int(exactly: number)
    case .text(let text): Int(text)
    }
  }
}

extension IndexValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}
