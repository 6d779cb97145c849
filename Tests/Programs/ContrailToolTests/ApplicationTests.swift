import ContrailTestSupport
import Foundation
import Testing

/// The applications on one page: what they say without a service.
@Suite struct ApplicationTests {
  private static let names = ["flight-deck", "turbulence-ahead"]

  @Test(arguments: names, ["--help", "-h"]) func theyExplainThemselves(name: String, option: String) throws {
    let directory = try TemporaryDirectory()
    let outcome = try BuiltProgram(name).run([option], in: directory.path, killedAfter: 60)
    #expect(outcome.status == 0 && outcome.error == "")
    #expect(outcome.output.hasPrefix("Usage: \(name) [URL of the service"))
  }

  @Test(arguments: names, ["localhost", "--server", "ftp://example.com", "http://", ""])
  func anInvalidAddressIsRefused(name: String, address: String) throws {
    let directory = try TemporaryDirectory()
    let outcome = try BuiltProgram(name).run([address], in: directory.path, killedAfter: 60)
    #expect(outcome.status == 64 && outcome.output == "")
    #expect(outcome.error.hasPrefix("'\(address)' is not the URL of a service.\nUsage: \(name) "), "\(outcome.error)")
  }
}
