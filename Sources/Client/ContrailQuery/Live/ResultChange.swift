/// A result of a live query, and its difference from the one before.
///
/// ```swift
/// for await change in try client.observe(TurbulenceQuery()) {
///   layer.remove(change.removed)
///   layer.add(change.inserted)
///   layer.update(change.changed)
/// }
/// ```
///
/// The first change of a query has all items in ``inserted``. Applying each change to the last result gives ``items``.
public struct ResultChange<Item: LiveItem>: Sendable {
  /// The whole result, in the order of the query.
  ///
  /// - Complexity: O(*n*) in the result for turbulence, whose ages are computed; otherwise O(1).
  public var items: [Item] { all() }
  private let all: @Sendable () -> [Item]
  /// The number of items of the whole result.
  public let count: Int
  /// The items that weren't in the result before.
  public let inserted: [Item]
  /// The items that were in the result with other values. Ages don't count.
  public let changed: [Item]
  /// The identities of the items that are no longer in the result: replaced, expired, or outside the query.
  public let removed: [Item.ID]
  /// Whether it is the first result.
  public let isFirst: Bool

  /// Creates the first result.
  init(_ items: [Item]) {
    all = { items }
    count = items.count
    inserted = items
    (changed, removed, isFirst) = ([], [], true)
  }

  /// Creates the change from one result, or a part of it, to another; nil if they are shown alike.
  ///
  /// - Parameters:
  ///   - count: The number of items of the whole result; nil if it is `new`.
  ///   - all: Returns the whole result; nil if it is `new`.
  /// - Complexity: O(*n*) in both results; O(*n* log *n*) for items that aren't sorted by identity.
  init?(from old: [Item], to new: [Item], count: Int? = nil, of all: (@Sendable () -> [Item])? = nil) {
    var (inserted, changed, removed): ([Item], [Item], [Item.ID]) = ([], [], [])
    let (before, after) = (Self.sorted(old), Self.sorted(new))
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      if right == after.count || left < before.count && before[left].id < after[right].id {
        removed.append(before[left].id)
        left += 1
      } else if left == before.count || after[right].id < before[left].id {
        inserted.append(after[right])
        right += 1
      } else {
        if !after[right].isShown(like: before[left]) { changed.append(after[right]) }
        left += 1
        right += 1
      }
    }
    if inserted.isEmpty, changed.isEmpty, removed.isEmpty { return nil }
    self.count = count ?? new.count
    self.all = all ?? { new }
    (self.inserted, self.changed, self.removed, isFirst) = (inserted, changed, removed, false)
  }

  private static func sorted(_ items: [Item]) -> [Item] {
    var last: Item.ID?
    for item in items {
      if let last, item.id < last { return items.sorted { $0.id < $1.id } }
      last = item.id
    }
    return items
  }
}
