public import ContrailAirportData
import ContrailWire
import Foundation

/// Airport files in a local folder, one per cycle.
public struct FileAirportTransport: AirportTransport {
  private let path: @Sendable (AIRACCycle) -> String

  private static let blockBytes = 1 << 16

  /// Creates a transport.
  ///
  /// - Parameter path: Returns the path of a cycle's file.
  public init(path: @escaping @Sendable (AIRACCycle) -> String) {
    self.path = path
  }

  public func open(_ request: AirportRequest) async throws(AirportTransportError) -> AirportAnswer {
    let path = path(request.cycle)
    // A folder on the device has only complete files.
    guard request.base == nil else { return .notAvailable }
    guard FileManager.default.fileExists(atPath: path) else { return .notAvailable }
    guard let file = FileHandle(forReadingAtPath: path), let end = try? file.seekToEnd() else {
      throw AirportTransportError(.refused, reason: "the file of cycle \(request.cycle) can't be read")
    }
    let total = Int64(clamping: end)
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let changedAt = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    let tag = "\(total)-\(changedAt)"
    let offset = request.entityTag == tag ? request.offset : 0
    if offset >= total, offset > 0 { return .nothingMore(totalBytes: total) }
    do {
      try file.seek(toOffset: UInt64(offset))
    } catch {
      throw AirportTransportError(.refused, reason: "the file of cycle \(request.cycle) can't be read")
    }
    let blocks = AsyncThrowingStream<[UInt8], any Error> {
      guard let block = try file.read(upToCount: Self.blockBytes), !block.isEmpty else { return nil }
      return Array(block)
    }
    return .body(AirportBody(offset: offset, totalBytes: total, entityTag: tag, blocks: blocks))
  }
}
