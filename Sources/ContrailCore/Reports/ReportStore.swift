/// Owns the tables of a ``ReportSet``: shared by the set's copies until one of them is to change.
///
/// Sendable because nobody changes a store that has more than one owner.
final class ReportStore: @unchecked Sendable {
  private(set) var tables = ReportTables()

  init() {}

  init(copying store: ReportStore) { tables = store.tables.copy() }

  deinit { tables.deallocate() }

  /// Hands the tables out to be changed: outside they can be, without a look at each step at who else does.
  func take() -> ReportTables {
    defer { tables = ReportTables() }
    return tables
  }

  /// Takes them back.
  func put(_ tables: ReportTables) { self.tables = tables }
}
