extension H3Cell {
  /// The default limit of the number of cells in a result: about 134 million, 1 GiB.
  public static let maximumCount = 1 << 27

  /// The parent at the next coarser resolution; nil at resolution 0.
  ///
  /// - Complexity: O(1), without allocation.
  public var parent: H3Cell? {
    let resolution = resolution
    guard resolution > 0 else { return nil }
    return H3Cell(trusted: (rawValue &- 1 << 52) | H3Index.tail(resolution &- 1))
  }

  /// Returns the ancestor at a resolution; the cell itself at its own.
  ///
  /// - Throws: ``H3Error/resolution(_:)``, or ``H3Error/resolutionMismatch(_:_:)`` if the resolution is finer than the
  ///   cell's.
  /// - Complexity: O(1), without allocation.
  public func parent(resolution: Int) throws(H3Error) -> H3Cell {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    guard resolution <= self.resolution else { throw H3Error.resolutionMismatch(self.resolution, resolution) }
    return H3Cell(trusted: H3Index.with(rawValue, resolution: resolution) | H3Index.tail(resolution))
  }

  private func checkDescent(to resolution: Int) throws(H3Error) {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    guard resolution >= self.resolution else { throw H3Error.resolutionMismatch(self.resolution, resolution) }
  }

  /// Returns the number of descendants at a resolution.
  ///
  /// A hexagon has 7ⁿ descendants, *n* resolutions finer; a pentagon has 1 + 5(7ⁿ − 1)/6.
  ///
  /// - Throws: ``H3Error/resolution(_:)``, or ``H3Error/resolutionMismatch(_:_:)`` if the resolution is coarser than
  ///   the cell's.
  public func childrenCount(resolution: Int) throws(H3Error) -> Int {
    try checkDescent(to: resolution)
    return Int(clamping: H3Index.descendants(rawValue, generations: resolution - self.resolution))
  }

  /// Returns the descendants at a resolution in ascending order, as a lazy sequence.
  ///
  /// - Throws: The errors of ``childrenCount(resolution:)``.
  public func children(resolution: Int) throws(H3Error) -> H3Children {
    try checkDescent(to: resolution)
    return H3Children(of: self, resolution: resolution)
  }

  /// Returns the descendant at a resolution with the same centre as the cell.
  ///
  /// - Throws: The errors of ``childrenCount(resolution:)``.
  public func centerChild(resolution: Int) throws(H3Error) -> H3Cell {
    try checkDescent(to: resolution)
    let digits = H3Index.digits(rawValue)
    return H3Cell(trusted: H3Index.cell(resolution: resolution, baseCell: baseCell, digits: digits))
  }

  /// Returns the position of the cell among the descendants of its ancestor, in the order of ``children(resolution:)``.
  ///
  /// - Parameter resolution: The resolution of the ancestor.
  /// - Throws: The errors of ``parent(resolution:)``.
  /// - Complexity: O(resolution).
  public func childPosition(resolution: Int) throws(H3Error) -> Int {
    var isPentagon = try parent(resolution: resolution).isPentagon
    var position = 0
    for level in stride(from: resolution + 1, through: self.resolution, by: 1) {
      let digit = Int(H3Index.digit(rawValue, level))
      let hexagon = Int(clamping: H3Index.powersOf7[self.resolution - level])
      if isPentagon {
        // Digit 0 is the smaller pentagon, digit 1 is missing.
        if digit > 0 { position += 1 + 5 * (hexagon - 1) / 6 + (digit - 2) * hexagon }
        isPentagon = digit == 0
      } else {
        position += digit * hexagon
      }
    }
    return position
  }

  /// Returns the descendant at a position of ``children(resolution:)``; nil if the position is out of bounds.
  ///
  /// - Throws: The errors of ``childrenCount(resolution:)``.
  /// - Complexity: O(resolution).
  public func child(at position: Int, resolution: Int) throws(H3Error) -> H3Cell? {
    let count = try childrenCount(resolution: resolution)
    guard position >= 0, position < count else { return nil }
    var left = position
    var isPentagon = isPentagon
    var digits = H3Index.digits(rawValue)
    for level in stride(from: self.resolution + 1, through: resolution, by: 1) {
      let hexagon = Int(clamping: H3Index.powersOf7[resolution - level])
      let pentagon = 1 + 5 * (hexagon - 1) / 6
      var digit = 0
      if !isPentagon {
        digit = left / hexagon
        left %= hexagon
      } else if left >= pentagon {
        left -= pentagon
        digit = left / hexagon + 2
        left %= hexagon
        isPentagon = false
      }
      digits |= UInt64(digit) << UInt64(45 - 3 * level)
    }
    return H3Cell(trusted: H3Index.cell(resolution: resolution, baseCell: baseCell, digits: digits))
  }
}

extension H3Cell {
  /// Returns the smallest set of cells that covers the same area.
  ///
  /// Complete sets of children are replaced by their parent.
  ///
  /// - Returns: The cells in ascending order, coarser ones first.
  /// - Throws: ``H3Error/resolutionMismatch(_:_:)`` unless all cells have the same resolution,
  ///   ``H3Error/duplicate(_:)``.
  /// - Complexity: O(*n* log *n*), O(*n*) if the cells are in ascending order.
  public static func compact(_ cells: some Sequence<H3Cell>) throws(H3Error) -> [H3Cell] {
    var sorted = Array(cells)
    guard let resolution = sorted.first?.resolution else { return [] }
    var isSorted = true
    for index in sorted.indices.dropFirst() {
      let cell = sorted[index]
      guard cell.resolution == resolution else { throw H3Error.resolutionMismatch(resolution, cell.resolution) }
      if cell < sorted[index - 1] { isSorted = false }
    }
    if !isSorted { sorted.sort() }

    // In this order, a cell's children are adjacent, and the last one completes the set.
    var result: [H3Cell] = []
    var previous: H3Cell?
    for cell in sorted {
      if cell == previous { throw H3Error.duplicate(cell) }
      previous = cell
      var next = cell
      while let parent = completed(by: next, after: result) {
        result.removeLast(parent.isPentagon ? 5 : 6)
        next = parent
      }
      result.append(next)
    }
    return result.sorted()
  }

  /// Returns the parent, if the cell is its last child and all others are at the end of the list.
  private static func completed(by cell: H3Cell, after list: [H3Cell]) -> H3Cell? {
    guard H3Index.digit(cell.rawValue, max(cell.resolution, 1)) == 6, let parent = cell.parent else { return nil }
    let others = parent.isPentagon ? 5 : 6
    guard list.count >= others else { return nil }
    for other in list.suffix(others) where other.resolution != cell.resolution || other.parent != parent { return nil }
    return parent
  }

  /// Returns all descendants of cells at a resolution, in the order of the cells.
  ///
  /// - Parameters:
  ///   - cells: The cells.
  ///   - resolution: The resolution of the result.
  ///   - limit: The maximum number of cells in the result.
  /// - Throws: ``H3Error/resolution(_:)``, ``H3Error/resolutionMismatch(_:_:)`` if a cell is finer than the resolution,
  ///   ``H3Error/tooManyCells(limit:)``.
  public static func uncompact(
    _ cells: some Sequence<H3Cell>, resolution: Int, limit: Int = maximumCount
  ) throws(H3Error) -> [H3Cell] {
    var result: [H3Cell] = []
    for cell in cells {
      let count = try cell.childrenCount(resolution: resolution)
      guard count <= limit - result.count else { throw H3Error.tooManyCells(limit: limit) }
      H3Children(of: cell, resolution: resolution).append(to: &result)
    }
    return result
  }
}

extension H3Cell {
  /// The 122 cells of resolution 0, in ascending order.
  public static let resolution0: [H3Cell] = (0..<BaseCellTables.count).map {
    H3Cell(trusted: H3Index.cell(resolution: 0, baseCell: $0, digits: 0))
  }

  /// Returns the twelve pentagons of a resolution, in ascending order.
  ///
  /// - Throws: ``H3Error/resolution(_:)``.
  public static func pentagons(resolution: Int) throws(H3Error) -> [H3Cell] {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    return (0..<BaseCellTables.count).filter(BaseCellTables.isPentagon).map {
      H3Cell(trusted: H3Index.cell(resolution: resolution, baseCell: $0, digits: 0))
    }
  }

  /// Returns the number of cells of a resolution: 2 + 120 · 7^r.
  ///
  /// - Throws: ``H3Error/resolution(_:)``.
  public static func count(resolution: Int) throws(H3Error) -> Int {
    guard resolution >= 0, resolution <= H3Index.maximumResolution else { throw H3Error.resolution(resolution) }
    return Int(clamping: 2 + 120 * H3Index.powersOf7[resolution])
  }
}
