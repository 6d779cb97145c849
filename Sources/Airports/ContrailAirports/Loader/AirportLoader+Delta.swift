package import ContrailAirportData
import Foundation

extension AirportLoader {
  /// Loads a cycle by the delta from the cycle in use.
  ///
  /// - Returns: The loaded cycle, or `nil` if there is no delta or it can't be used, so that the complete file is needed.
  func loadDelta(to cycle: AIRACCycle, at time: Int64) async throws(AirportLoaderError) -> LoadedCycle? {
    let current = try onStore { () throws(AirportStoreError) in try database.status().current }
    guard let current, current.cycle != cycle, current.dataVersion == AirportDatabase.dataVersion else { return nil }
    let download = download(of: cycle, from: current.cycle)
    var summary: AirportDownloadSummary
    do throws(AirportLoaderError) {
      summary = try await download.run()
    } catch {
      switch error {
      case .cycleNotAvailable, .data: return nil
      // Some hosts refuse requests for files that they don't have.
      case .transport(let fault) where fault.code != .unreachable: return nil
      default: throw error
      }
    }
    do throws(AirportLoaderError) {
      let bytes = try await extract(summary.path, limits: AirportDelta.limits)
      guard AirportDelta.isDelta(unpacked: bytes) else {
        // The transport has no deltas and sent the complete file.
        summary.base = nil
        onEvent(.downloadFinished(summary))
        let loaded = try await load(unpacked: bytes, sha256: summary.sha256, expected: cycle, at: time)
        download.remove()
        return loaded
      }
      let loaded = try apply(bytes, summary, at: time)
      download.remove()
      return loaded
    } catch {
      switch error {
      case .data(let fault):
        download.remove()
        onEvent(.deltaRefused(cycle, fault))
        return nil
      case .wrongCycle(_, let found):
        download.remove()
        onEvent(.deltaRefused(cycle, AirportDataError(.damaged, at: 0, "the file is for cycle \(found)")))
        return nil
      default: throw error
      }
    }
  }

  private func apply(
    _ bytes: [UInt8], _ summary: AirportDownloadSummary, at time: Int64
  ) throws(AirportLoaderError) -> LoadedCycle {
    let delta: AirportDelta
    do throws(AirportDataError) {
      delta = try AirportDelta(unpacked: bytes)
    } catch {
      throw .data(error)
    }
    guard delta.header.cycle == summary.cycle else {
      throw .wrongCycle(expected: summary.cycle, found: delta.header.cycle)
    }
    if Task.isCancelled { throw .cancelled }
    showLoading(0)
    var summary = summary
    if rebuildsFiles { summary.path = try rebuild(delta) }
    defer { if rebuildsFiles { try? FileManager.default.removeItem(atPath: summary.path) } }
    showLoading(0.5)
    try database.apply(delta, fingerprint: summary.sha256)
    onEvent(.downloadFinished(summary))
    return try finish(at: time)
  }

  /// Writes the complete file of the new cycle, and returns its path.
  private func rebuild(_ delta: AirportDelta) throws(AirportLoaderError) -> String {
    let held = try onStore { () throws(AirportStoreError) in try database.allAirports() }
    let bytes: [UInt8]
    do throws(AirportDataError) {
      // The lowest level: the file stays on the device, and time matters more than its size.
      bytes = try AirportFile.packed(
        delta.applied(to: held), cycle: delta.header.cycle, sources: delta.header.sources, preset: 0)
    } catch {
      throw .data(error)
    }
    let file = folder.appendingPathComponent("\(delta.header.cycle).rebuilt")
    do {
      try Data(bytes).write(to: file)
    } catch {
      throw .folder(reason: error.localizedDescription)
    }
    return file.path
  }
}

extension AirportLoadNeed {
  /// Returns the cycle to load if a wanted one isn't available yet and there are no airports to use.
  package func fallback(for wanted: AIRACCycle, after error: AirportLoaderError) -> AIRACCycle? {
    guard case .cycleNotAvailable = error, isRequired else { return nil }
    return wanted.previous
  }
}
