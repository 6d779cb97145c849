extension Schema {
  /// The table from which all reports are read at once.
  ///
  /// The migration doesn't copy older contents. The store then counts as empty and is rebuilt from the log.
  static let blocks = Step(
    name: "3 blocks",
    sql: """
      DELETE FROM position;
      DELETE FROM scopeRows;
      DELETE FROM reportRows;
      DELETE FROM cells;
      DELETE FROM pirepRows;
      DELETE FROM trafficRows;
      DELETE FROM documentRows;

      CREATE TABLE reportBlocks (
        scope INTEGER NOT NULL,
        block INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (scope, block)
      ) STRICT;
      """)
}
