package import ContrailCore
package import ContrailLog
import ContrailReplay
import ContrailWire

/// Simulates a recorded flight under other settings, wires and links, and returns figures with intervals.
///
/// ```swift
/// let whatIf = WhatIf(try RecordedFlight(path: "flight.jsonl"))
/// var rarer = Alternative()
/// rarer.frequency = .medium
/// let prediction = try whatIf.predictions([rarer])[0]
/// ```
package struct WhatIf: Sendable {
  package let flight: RecordedFlight
  /// The number of runs of each alternative. Each draws the values that the recording doesn't determine.
  package var runs = 5
  package var tariff: Tariff
  package var seed: UInt64 = 1

  private let shapes: ShapeCache
  private let corridors = CorridorCache()
  private let recordedBySentAt: [Int64: [Int]]
  /// The figures of the recorded flight.
  package let recorded: FigureValues

  package init(_ flight: RecordedFlight, tariff: Tariff? = nil) {
    self.flight = flight
    let tariff = tariff ?? Tariff.all.first ?? Tariff(name: "none")
    self.tariff = tariff
    shapes = ShapeCache(flight.world)
    recordedBySentAt = Dictionary(grouping: flight.exchanges.indices) { flight.exchanges[$0].sentAtMS }
    recorded = FigureValues(flight.figures, comparedWith: flight, tariff)
  }

  /// The recorded flight, in the form of a prediction.
  package var recordedPrediction: Prediction { Prediction(recorded: flight.figures, recorded) }

  /// Returns the predictions of alternatives, in their order.
  ///
  /// - Parameters:
  ///   - alternatives: The alternatives.
  ///   - threads: The number of runs at the same time.
  /// - Throws: ``WhatIfError`` for the first alternative that doesn't apply or doesn't end.
  package func predictions(_ alternatives: [Alternative], threads: Int = 1) throws(WhatIfError) -> [Prediction] {
    for alternative in alternatives { try check(alternative) }
    // Run by run, so that the times of arrival of few runs are in memory.
    let count = alternatives.count
    let servers = RunServers(flights: count) { server(run: $0) }
    let results = ParallelWork.results(count * max(runs, 1), threads: threads) { index in
      let server = servers.server(run: index / count)
      defer { servers.finish(run: index / count) }
      return result(alternatives[index % count], server)
    }
    var predictions: [Prediction] = []
    for (number, alternative) in alternatives.enumerated() {
      var runs: [Prediction.Run] = []
      for index in stride(from: number, to: results.count, by: count) { runs.append(try results[index].get()) }
      predictions.append(Prediction(alternative, runs, isWider: isWider(alternative)))
    }
    return predictions
  }

  /// Whether an alternative has a wider corridor than a query of the recording.
  private func isWider(_ alternative: Alternative) -> Bool {
    guard let width = alternative.widthMilliNM else { return false }
    let recorded = flight.inputs.map { input in
      if case .queryChanged(let query) = input.input { query.routeWidthMilliNM } else { nil as Int64? }
    }
    return (recorded + [flight.initial.query.routeWidthMilliNM]).contains { $0.map { $0 < width } ?? false }
  }

  private func result(_ alternative: Alternative, _ server: WorldServer) -> Result<Prediction.Run, WhatIfError> {
    var flown = begun(server, alternative)
    do throws(WhatIfError) {
      let outcome = try flown.run()
      return .success(
        Prediction.Run(
          values: FigureValues(outcome.figures, comparedWith: flight, tariff),
          accounts: outcome.figures.accounts, knowledge: outcome.knowledge))
    } catch {
      return .failure(error)
    }
  }

  /// The server of a run. The first run draws nothing: it takes the nearest and the middle.
  func server(run: Int) -> WorldServer {
    WorldServer(flight.world, shapes: shapes, seed: run == 0 ? nil : Digest.mix(seed &+ UInt64(run)))
  }

  /// Returns a flight at its start: the recorded one, or that of an alternative.
  func begun(
    _ server: WorldServer, _ alternative: Alternative = Alternative(), through troubles: [Trouble] = [],
    onLine: ((Record, State) -> Void)? = nil
  ) -> AlternativeFlight {
    AlternativeFlight(
      flight, alternative, server, shapes: shapes, corridors: corridors, recordedBySentAt: recordedBySentAt,
      troubles: troubles, onLine: onLine)
  }

  /// Flies the recorded flight again with trouble.
  ///
  /// - Parameters:
  ///   - troubles: The trouble.
  ///   - onLine: Receives each line and the state after it.
  /// - Returns: The figures of the flight and its final state.
  /// - Throws: ``WhatIfError`` if it doesn't come to an end.
  package func fly(
    through troubles: [Trouble], onLine: @escaping (Record, State) -> Void
  ) throws(WhatIfError) -> (figures: FlightFigures, state: State) {
    var flown = begun(server(run: 0), through: troubles, onLine: onLine)
    let outcome = try flown.run()
    return (outcome.figures, outcome.state)
  }

  /// Writes the first run of an alternative as a recording, to be shown beside the recorded one.
  ///
  /// The recording appears when it is complete, after the blobs that its lines refer to, which are copied to the folder
  /// `blobs` beside it.
  ///
  /// - Parameters:
  ///   - alternative: The alternative.
  ///   - troubles: The trouble that is put into it.
  ///   - path: The path of the new recording. No file may exist there.
  /// - Returns: The digest of the final state.
  /// - Throws: ``WhatIfError``, also if the file exists or can't be written.
  package func write(
    _ alternative: Alternative, through troubles: [Trouble] = [], to path: String
  ) throws(WhatIfError) -> UInt64 {
    let output: StagedOutput
    do throws(LogError) {
      output = try StagedOutput(path, replacing: .nothing)
    } catch {
      throw .unwritable(error)
    }
    let digest: UInt64
    do throws(WhatIfError) {
      digest = try write(alternative, through: troubles, to: output.path, storage: POSIXStorage())
    } catch {
      guard case .unwritable(let fault) = error else { throw error }
      throw .unwritable(output.named(fault))
    }
    do throws(LogError) {
      try output.publish()
    } catch {
      throw .unwritable(error)
    }
    return digest
  }

  /// Writes the first run of an alternative to a file, piece by piece; see ``write(_:through:to:)``.
  ///
  /// - Parameter storage: The file system.
  package func write(
    _ alternative: Alternative, through troubles: [Trouble] = [], to path: String, storage: any LogStorage
  ) throws(WhatIfError) -> UInt64 {
    try check(alternative)
    let result: Result<UInt64, WhatIfError>
    do throws(LogError) {
      let writer = try LogWriter.create(
        path: path, at: flight.startMS, policy: .interval(milliseconds: 600_000), storage: storage)
      result = try write(alternative, through: troubles, with: writer, BlobStore(ofLogAt: path, storage: storage))
      try writer.sync(at: flight.endMS)
    } catch {
      throw .unwritable(error)
    }
    return try result.get()
  }

  private func write(
    _ alternative: Alternative, through troubles: [Trouble], with writer: LogWriter, _ blobs: BlobStore
  ) throws(LogError) -> Result<UInt64, WhatIfError> {
    var fault: LogError?
    var flown = begun(server(run: 0), alternative, through: troubles) { record, _ in
      guard fault == nil else { return }
      do throws(LogError) {
        var batch = writer.batch()
        let payload = record.event.payload
        // A blob is complete before a line refers to it.
        var ids: [BlobStore.ID] = []
        payload.withUnsafeBytes { bytes in BlobStore.ID.forEach(in: bytes) { ids.append($0) } }
        for id in ids where blobs.directory != flight.blobs.directory {
          // Other strings look like the names of blobs, too.
          if let bytes = try? flight.blobs.bytes(of: id) { _ = try blobs.put(bytes) }
        }
        try batch.add(kind: record.event.kind.rawValue, at: record.at, payload: payload)
        try writer.append(batch)
      } catch {
        fault = error
      }
    }
    let result: Result<UInt64, WhatIfError>
    do throws(WhatIfError) {
      result = .success(try flown.run().state.digest.combined)
    } catch {
      result = .failure(error)
    }
    if let fault { throw fault }
    return result
  }

  /// Checks that an alternative applies to the recording.
  private func check(_ alternative: Alternative) throws(WhatIfError) {
    if let span = alternative.span {
      guard alternative.changesSettings else {
        throw .inapplicable(
          path: flight.path, alternative: alternative.name,
          reason:
            "a part of a flight can have another frequency, history, width, types, severities or viewport, and none is given"
        )
      }
      guard span.lowerBound < flight.endMS - flight.startMS else {
        throw .inapplicable(
          path: flight.path, alternative: alternative.name, reason: "the part begins after the end of the recording")
      }
    }
    guard alternative.widthMilliNM != nil else { return }
    let hasRoute = flight.inputs.contains {
      if case .queryChanged(let query) = $0.input { query.route != nil && query.polygon == nil } else { false }
    }
    guard hasRoute || flight.initial.query.route != nil else {
      throw .inapplicable(
        path: flight.path, alternative: alternative.name,
        reason: "the area of the recording is not a corridor around a route, so it has no width")
    }
  }
}

/// The servers of runs, each from the first flight of its run to the last.
private final class RunServers: @unchecked Sendable {
  private let flights: Int
  private let make: (Int) -> WorldServer
  private let gate = Gate()
  private var open: [Int: (server: WorldServer, finished: Int)] = [:]

  init(flights: Int, _ make: @escaping (Int) -> WorldServer) {
    self.flights = flights
    self.make = make
  }

  func server(run: Int) -> WorldServer {
    gate.within {
      if let known = open[run] { return known.server }
      let server = make(run)
      open[run] = (server, 0)
      return server
    }
  }

  /// Notes that a flight of a run has ended.
  func finish(run: Int) {
    gate.within {
      guard let known = open[run] else { return }
      open[run] = known.finished + 1 == flights ? nil : (known.server, known.finished + 1)
    }
  }
}
