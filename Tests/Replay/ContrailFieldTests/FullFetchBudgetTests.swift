import ContrailCore
import ContrailField
import ContrailWire
import Testing

/// Full fetches need a cause of their own, and a growing distance.
@Suite struct FullFetchBudgetTests {
  private static let spec = ToldLog().state.scopes[0].want!
  private static let narrowerSpec: FetchSpec = {
    var narrower = spec
    narrower.filter.history = .halfHour
    return narrower
  }()

  @Test func eachFullFetchTakesACause() {
    var budget = FullFetchBudget()
    #expect(budget.start(.areaChanged, Self.spec, at: 0) == [.withoutCause])
    budget.allow()
    budget.allow(2)
    for isAllowed in [true, true, true, false] {
      #expect(budget.start(.areaChanged, Self.spec, at: 0) == (isAllowed ? [] : [.withoutCause]))
    }
    // A fetch without a cause leaves no debt.
    budget.allow()
    #expect(budget.start(.areaChanged, Self.spec, at: 0) == [])
    budget.allow(5)
    budget.takeBackCauses()
    #expect(budget.start(.areaChanged, Self.spec, at: 0) == [.withoutCause])
  }

  @Test(arguments: 1...10) func theDistanceOfFullFetchesByOneRuleGrows(count: Int) {
    var budget = FullFetchBudget()
    budget.allow(2)
    for index in 0..<count { budget.apply(fullBy: .countDiffers, Self.spec, at: Int64(index)) }
    let shortest = min(Int64(1000) << (count - 1), 150_000)
    let last = Int64(count - 1)
    #expect(
      budget.start(.countDiffers, Self.spec, at: last + shortest - 1)
        == [.tooSoon(sinceLastMS: shortest - 1, shortestMS: shortest, count: count)])
    #expect(budget.start(.countDiffers, Self.spec, at: last + shortest) == [])
  }

  @Test func anotherRuleOrSpecBeginsASeries() {
    for (rule, spec) in [(Rule.first, Self.spec), (.countDiffers, Self.narrowerSpec)] {
      var budget = FullFetchBudget()
      budget.allow(9)
      budget.apply(fullBy: .countDiffers, Self.spec, at: 0)
      #expect(budget.start(rule, spec, at: 1) == [])
      budget.apply(fullBy: rule, spec, at: 1)
      #expect(budget.start(.countDiffers, Self.spec, at: 2) == [])
      #expect(budget.start(rule, spec, at: 2) == [.tooSoon(sinceLastMS: 1, shortestMS: 1000, count: 1)])
    }
  }

  @Test func aDeltaOrANewQueryEndsASeries() {
    let ends: [(inout FullFetchBudget) -> Void] = [
      { $0.endSeries() }, { $0.apply(fullBy: nil, Self.spec, at: 0) },
    ]
    for end in ends {
      var budget = FullFetchBudget()
      budget.allow(2)
      budget.apply(fullBy: .countDiffers, Self.spec, at: 0)
      #expect(budget.reportLoop() == false)
      end(&budget)
      #expect(budget.start(.countDiffers, Self.spec, at: 1) == [])
      budget.apply(fullBy: .countDiffers, Self.spec, at: 1)
      #expect(budget.reportLoop() == false)
    }
  }

  @Test(arguments: [Rule.refresh, .expired, .due, .requested]) func whatWasAskedForMayFollowAtOnce(rule: Rule) {
    var budget = FullFetchBudget()
    budget.allow()
    budget.apply(fullBy: rule, Self.spec, at: 0)
    #expect(budget.start(rule, Self.spec, at: 0) == [])
    #expect(budget.start(rule, Self.spec, at: 0) == [.withoutCause])
  }

  @Test func aLoopIsReportedOnceWhileItLasts() {
    var budget = FullFetchBudget()
    #expect(budget.reportLoop() == false)
    #expect(budget.reportLoop() == false)
    for reported in [false, true] {
      budget.apply(fullBy: .countDiffers, Self.spec, at: 0)
      #expect(budget.reportLoop() == reported)
    }
    #expect(budget.reportLoop() == true)
  }
}
