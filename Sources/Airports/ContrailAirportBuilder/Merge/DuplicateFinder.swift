import ContrailAirportData
import ContrailGeodesy

/// Finds duplicate sites within one source.
///
/// Two sites are duplicates if they have the same kind and place, and the same ICAO indicator or all words of the name
/// in common. The site with more runways is kept, or the first one if the counts are equal.
///
/// Only sites with a common cell and indicator or name are compared, and dropped sites aren't compared again. Many
/// sites at one point therefore take no longer than many distant sites.
struct DuplicateFinder {
  struct Duplicate {
    var lesser: Int
    var better: Int
  }

  private struct Key: Hashable {
    /// The indicator, or the words of the name.
    var text: String
    var isIndicator: Bool
    var ground: AirportKind
    var cell: PlaceCell
  }

  private let sites: [Site]
  private let runwayCounts: [Int]
  private let texts: [[(text: String, isIndicator: Bool)]]
  private let cells: [PlaceCell]
  /// The site indices of each key, ascending.
  private var groups: [Key: [Int]] = [:]
  private var isDropped: [Bool]
  /// The number of distances computed.
  private(set) var comparisonCount = 0

  init(_ sites: [Site], runwayCounts: [Int]) {
    self.sites = sites
    self.runwayCounts = runwayCounts
    isDropped = [Bool](repeating: false, count: sites.count)
    cells = sites.map { PlaceCell($0.airport.coordinate, reachNM: AirportMatcher.samePlaceNM) }
    texts = sites.map { site in
      let words = NameWords(site.airport.name).words.sorted().joined(separator: " ")
      return (site.airport.icaoID.map { [($0, true)] } ?? []) + (words.isEmpty ? [] : [(words, false)])
    }
    for index in sites.indices {
      for (text, isIndicator) in texts[index] {
        groups[key(text, isIndicator, index, cells[index]), default: []].append(index)
      }
    }
  }

  private func key(_ text: String, _ isIndicator: Bool, _ index: Int, _ cell: PlaceCell) -> Key {
    Key(text: text, isIndicator: isIndicator, ground: sites[index].kind.ground, cell: cell)
  }

  /// Returns the duplicates in the order of the sites.
  mutating func run() -> [Duplicate] {
    var duplicates: [Duplicate] = []
    for index in sites.indices where !isDropped[index] {
      var candidates = candidates(after: index)
      while !isDropped[index], let other = candidates.next() {
        guard !isDropped[other] else { continue }
        comparisonCount += 1
        let distance = sites[index].airport.coordinate.distanceNM(to: sites[other].airport.coordinate)
        guard distance <= AirportMatcher.samePlaceNM else { continue }
        let (lesser, better) = runwayCounts[other] > runwayCounts[index] ? (index, other) : (other, index)
        isDropped[lesser] = true
        duplicates.append(Duplicate(lesser: lesser, better: better))
      }
    }
    return duplicates
  }

  private func candidates(after index: Int) -> Candidates {
    let neighbourhood = cells[index].neighbourhood
    return Candidates(
      texts[index].flatMap { text, isIndicator in
        neighbourhood.compactMap { groups[key(text, isIndicator, index, $0)] }
      }, after: index)
  }

  /// Iterates over the sites of several groups in ascending order without duplicates. The groups are merged lazily.
  private struct Candidates {
    private var rests: [ArraySlice<Int>]

    init(_ groups: [[Int]], after index: Int) {
      rests = groups.map { group in
        var (low, high) = (0, group.count)
        while low < high {
          let middle = (low + high) / 2
          if group[middle] <= index { low = middle + 1 } else { high = middle }
        }
        return group[low...]
      }
    }

    mutating func next() -> Int? {
      guard let next = rests.compactMap(\.first).min() else { return nil }
      for group in rests.indices where rests[group].first == next { rests[group].removeFirst() }
      return next
    }
  }
}
