import Contrail
import ContrailAirportData
import ContrailAirports
import ContrailCore
import ContrailEngine
import ContrailWire
import Foundation

/// The airports of a recorded flight: real files over HTTP and a real database, which is deleted after the flight.
struct RecordedAirports {
  private let database: AirportDatabase
  private let folder: String

  /// Creates an empty database.
  ///
  /// - Parameter folder: The folder of the database. Leftovers of an interrupted recording are deleted.
  init(folder: String) throws(EngineError) {
    self.folder = folder
    try? FileManager.default.removeItem(atPath: folder)
    do throws(AirportStoreError) {
      database = try AirportDatabase(path: folder + "/airports.sqlite")
    } catch {
      throw EngineError(code: .log, message: "the airport database of the flight can't be created: \(error)")
    }
  }

  /// Loads the requested file and returns the resulting log entries.
  func load(_ cycle: AIRACCycle, _ outcome: RequestResult) async -> [AirportsEntry] {
    let (told, teller) = AsyncStream.makeStream(of: AirportsEntry.self)
    let loader = AirportLoader(database: database, transport: ArrivedFile(outcome: outcome), folder: folder) { event in
      if let entry = AirportsEntry(event) { teller.yield(entry) }
    }
    // Failures are reported as events. The time 0 activates no cycle, because only the log decides about the
    // activation.
    do throws(AirportLoaderError) { try await loader.load(cycle, at: 0) } catch {}
    teller.finish()
    var entries: [AirportsEntry] = []
    for await entry in told { entries.append(entry) }
    return entries
  }

  /// Activates the pending cycle and checks that the database matches the log.
  func activate(_ switched: AirportHoldings.Held) throws(EngineError) {
    let digest: UInt64
    do throws(AirportStoreError) {
      try database.activatePending(at: switched.edition.effectiveMS / 1000)
      digest = try database.computedDigest().value
    } catch {
      throw EngineError(
        code: .log, message: "the airports of cycle \(switched.edition.cycle) can't be activated: \(error)")
    }
    guard digest == switched.digest else {
      throw EngineError(code: .log, message: "the airports in the database don't match the digest in the log")
    }
  }

  /// Deletes the database at the end of the flight.
  func remove() {
    try? database.close()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// A downloaded file, or the error of its download.
private struct ArrivedFile: AirportTransport {
  let outcome: RequestResult

  func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
    switch outcome {
    case .failed(_, let message, _): throw AirportTransportError(.unreachable, reason: message)
    case .answered(let response):
      switch response.status {
      case 200:
        let bytes = response.body.bytes
        let blocks = AsyncThrowingStream<[UInt8], any Error> { continuation in
          continuation.yield(bytes)
          continuation.finish()
        }
        return .body(
          AirportBody(offset: 0, totalBytes: Int64(bytes.count), entityTag: response.etag, blocks: blocks))
      case 404, 410: return .notAvailable
      case let status: throw AirportTransportError(.refused, status: status, reason: "the server refused the request")
      }
    }
  }
}
