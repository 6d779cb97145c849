import Contrail
import ContrailTesting
import Foundation

// The snippets of `ContrailTesting`.

func verifyRecording(url: URL) throws {
  try Recording(url).verify()
}

func seekInRecording(url: URL) async throws {
  let player = try FlightPlayer(Recording(url))
  try await player.seek(to: .seconds(3600))
  show(player.client.data(of: .corridor).turbulence)
}

func playRecording(url: URL) async throws {
  let player = try FlightPlayer(Recording(url))
  Task { try await player.play(speed: 60) }
  for await held in player.client.updates(for: .corridor) { show(held.turbulence) }
}

func startWorld(folder: URL, route: [Coordinate]) async throws {
  let world = ReferenceWorld(seed: 7)
  let client = try world.client(directory: folder)
  client.dataQuery.polygon = route.buffer(widthNM: 100)
  try await world.advance(by: .seconds(300))
  show(client.data(of: .corridor).turbulence)
}

func failInWorld(folder: URL) async throws {
  let world = ReferenceWorld(seed: 7, keys: ["key"], hasAirports: true)
  let client = try world.client(directory: folder, apiKey: "key")
  try await world.fail("503 for 10m")
  try await world.advance(by: .seconds(300))
  if let error = client.status(of: .corridor).lastError { show(error) }
  await world.recover()
}
