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

  /// In the order of evaluation.
  @Test func everyRuleIsExplained() throws {
    let rows = try page("Rules").split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.map { $0.split(separator: "`")[1] } == Rule.allCases.map { $0.rawValue[...] })
  }

  @Test func theREADMEAndTheServicesInterfaceNameTheVersion() throws {
    #expect(try PackageFolder.text(of: "README.md").contains("from: \"\(EngineVersion.current)\""))
    let interface = try PackageFolder.text(of: "Sources/Service/ContrailServer/Resources/openapi.yaml")
    #expect(interface.contains("\n  version: \(EngineVersion.current)\n"))
  }
}
