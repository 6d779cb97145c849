import Contrail
import ContrailSupport
import Foundation

// The snippets of `ContrailSupport`.

func sendLog(of client: ContrailClient, file: URL) async throws {
  try await client.exportLog(to: file, since: Date(timeIntervalSinceNow: -86_400))
}
