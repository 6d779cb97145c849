import ContrailAppModel
import ContrailSimulation
import ContrailTestSupport
import Foundation
import Testing

/// The application side of the simulation does what an application can do.
@Suite struct PublicMembersTests {
  private static let files = [
    "Sources/Sync/ContrailCore/Query/DataQuery.swift", "Sources/Sync/ContrailCore/Query/WeatherQuery.swift",
    "Sources/Sync/ContrailWire/Messages/WeatherSpec.swift",
  ]

  /// Returns the public members of the listed types, as the sources declare them.
  private func declared() throws -> [String: Set<String>] {
    let folder = "Sources/Client/Contrail"
    let names = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.file(folder).path)
    var members: [String: Set<String>] = [:]
    for file in Self.files + names.filter({ $0.hasSuffix(".swift") }).map({ "\(folder)/\($0)" }) {
      var type: String?
      for line in try String(contentsOf: PackageFolder.file(file), encoding: .utf8).split(separator: "\n") {
        if let match = line.firstMatch(of: /^(?:public )?(?:final )?(?:class|struct|actor|extension) (\w+)/) {
          type = PublicMembers.all[String(match.1)] == nil ? nil : String(match.1)
        }
        guard let type, let match = line.firstMatch(of: /^  public (?:[a-z]+ )*?(?:var|let|func) (\w+)/),
          !line.contains("static ")
        else { continue }
        members[type, default: []].insert(String(match.1))
      }
    }
    return members
  }

  @Test func everyPublicMemberOfTheClientIsListed() throws {
    let declared = try declared()
    for (type, members) in PublicMembers.all {
      #expect(declared[type]?.subtracting(members.keys).sorted() == [], "\(type): say how flights exercise these")
      #expect(Set(members.keys).subtracting(declared[type] ?? []).sorted() == [], "\(type) has no such members")
    }
  }

  @Test func flightsSetAndCallEveryMember() {
    var set: Set<String> = []
    var called: Set<String> = []
    for seed in UInt64(0)..<400 {
      for step in Script(seed: seed).steps {
        called.insert(step.name)
        switch step {
        case .set(let changes): set.formUnion(changes.flatMap(\.members))
        case .setChecked(let change): set.formUnion(change.members)
        default: break
        }
      }
    }
    #expect(PublicMembers.changed.subtracting(set).sorted() == [])
    for (type, members) in PublicMembers.all {
      for case (let member, .step(let step)) in members {
        #expect(called.contains(step), "\(type).\(member): no flight has a step \(step)")
      }
    }
  }

  /// The scripts of both generators are computed, and not flown.
  @Test func everyMemberIsFlownInEachPhase() {
    var coverage = PhaseCoverage()
    for seed in UInt64(0)..<1000 {
      coverage += Script(seed: seed).phaseCoverage
      coverage += AppScript(seed: seed).phaseCoverage
    }
    let all = PublicMembers.changed.union(PublicMembers.steps).union([AppStep.systemLinkName])
    for phase in Phase.allCases {
      let missing = all.subtracting(coverage.names[phase] ?? []).subtracting(PublicMembers.notFlown[phase] ?? [])
      #expect(missing.sorted() == [], "\(phase.rawValue): no flight sets or calls these")
    }
    let ofQuery = PublicMembers.changed.filter(PhaseCoverage.isOfQuery)
    #expect(ofQuery.subtracting(coverage.inPlace).sorted() == [], "no flight sets these in place")
    #expect(ofQuery.subtracting(coverage.whole).sorted() == [], "no flight sets these with the whole query")
  }

  @Test func whatIsNotFlownIsAMemberOrAStep() {
    let all = PublicMembers.changed.union(PublicMembers.steps)
    for (phase, names) in PublicMembers.notFlown {
      #expect(names.subtracting(all).sorted() == [], "\(phase.rawValue): there are no such members")
    }
  }
}
