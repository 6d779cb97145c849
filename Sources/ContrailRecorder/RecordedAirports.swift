import Contrail
import ContrailAirportData
import ContrailAirports
import ContrailCore
import ContrailEngine
import Foundation

/// The airports of a recorded flight: real files over HTTP and a real database, which goes when the flight is over.
struct RecordedAirports {
  private let database: AirportDatabase
  private let folder: String

  /// Makes an empty database.
  ///
  /// - Parameter folder: Where; what was left there by a recording that was broken off goes.
  init(folder: String) throws(EngineError) {
    self.folder = folder
    try? FileManager.default.removeItem(atPath: folder)
    do throws(AirportStoreError) {
      database = try AirportDatabase(path: folder + "/airports.sqlite")
    } catch {
      throw EngineError(code: .log, message: "the airports of the flight can't be kept: \(error)")
    }
  }

  /// Loads the file that was asked for, and says what becomes of it.
  func load(_ cycle: AIRACCycle, _ outcome: RequestResult) async -> [AirportsEntry] {
    let (told, teller) = AsyncStream.makeStream(of: AirportsEntry.self)
    let loader = AirportLoader(database: database, transport: ArrivedFile(outcome: outcome), folder: folder) { event in
      if let entry = AirportsEntry(event) { teller.yield(entry) }
    }
    // What goes wrong is told too. The log alone puts a cycle in use: at this time none is effective.
    do throws(AirportLoaderError) { try await loader.load(cycle, at: 0) } catch {}
    teller.finish()
    var entries: [AirportsEntry] = []
    for await entry in told { entries.append(entry) }
    return entries
  }

  /// Puts the cycle that waits in use, and makes sure that the database says the same of it as the log.
  func activate(_ switched: AirportHoldings.Held) throws(EngineError) {
    let digest: UInt64
    do throws(AirportStoreError) {
      try database.activatePending(at: switched.edition.effectiveMS / 1000)
      digest = try database.computedDigest().value
    } catch {
      throw EngineError(code: .log, message: "the airports of \(switched.edition.cycle) can't be put in use: \(error)")
    }
    guard digest == switched.digest else {
      throw EngineError(code: .log, message: "the database holds other airports than the log says are in use")
    }
  }

  /// Ends it: the flight is over.
  func remove() {
    try? database.close()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// A file that has come, or why it didn't.
private struct ArrivedFile: AirportTransport {
  let outcome: RequestResult

  func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
    switch outcome {
    case .failed(_, let message): throw AirportTransportError(.unreachable, reason: message)
    case .answered(let answer):
      switch answer.response.status {
      case 200:
        let blocks = AsyncThrowingStream<[UInt8], any Error> { continuation in
          continuation.yield(answer.body)
          continuation.finish()
        }
        return .body(
          AirportBody(
            offset: 0, totalBytes: Int64(answer.body.count), entityTag: answer.response.etag, blocks: blocks))
      case 404, 410: return .notAvailable
      case let status: throw AirportTransportError(.refused, status: status, reason: "the server refused")
      }
    }
  }
}
