import ContrailCore
import ContrailTestSupport
import Foundation
import Testing

/// The catalogue names all that there is.
@Suite struct CatalogueTests {
  private func page(_ name: String) throws -> String {
    try PackageFolder.text(of: "Sources/Client/Contrail/Contrail.docc/\(name).md")
  }

  @Test func everyKindStandsInItsClass() throws {
    let lines = try page("Architecture").split(separator: "\n")
    for (role, name) in [(Kind.Role.input, "input"), (.decision, "decision"), (.mark, "mark")] {
      let row = try #require(lines.first { $0.hasPrefix("| \(name) |") })
      let kinds = row.split(separator: "`").filter { $0.contains(".") }.map(String.init)
      #expect(kinds == Kind.allCases.filter { $0.role == role }.map(\.rawValue))
    }
  }

  @Test func everyRuleIsExplained() throws {
    let rules = try page("Rules")
    #expect(Rule.allCases.filter { !rules.contains("| \($0.id) |") } == [])
  }
}
