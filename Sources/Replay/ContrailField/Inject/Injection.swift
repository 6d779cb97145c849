import ContrailCore
package import ContrailLog
import ContrailReplay

/// Flies a recorded flight again with trouble, and judges each flight by the guarantees of ``Finding/Guarantee``.
///
/// The engine decides closed-loop, and the world that the log tells of answers; see ``RecordedFlight``.
package struct Injection: Sendable {
  private let whatIf: WhatIf
  /// The recorded flight: its figures, and the findings of the judge.
  package let recorded: Flight

  /// A flight with trouble.
  package struct Flight: Sendable {
    package var troubles: [Trouble]
    package var findings: [Finding]
    package var findingCount: Int
    package var requests: Int
    package var upBytes: Int64
    package var downBytes: Int64
    /// The time for which an area was wanted, and nothing valid was shown, in milliseconds.
    package var withoutMS: Int64
    package var lineCount: Int
    /// The digest of the final state.
    package var digest: UInt64
  }

  /// Reads a recording.
  ///
  /// - Throws: ``WhatIfError`` if it can't be read, is incomplete, or doesn't replay to the same decisions.
  package init(path: String, storage: any LogStorage = POSIXStorage()) throws(WhatIfError) {
    whatIf = WhatIf(try RecordedFlight(path: path, storage: storage))
    recorded = try Self.fly([], whatIf)
  }

  package var path: String { whatIf.flight.path }

  /// The length of the flight in milliseconds.
  package var lengthMS: Int64 { whatIf.flight.endMS - whatIf.flight.startMS }

  /// Flies with trouble.
  ///
  /// - Throws: ``WhatIfError`` if the flight doesn't come to an end.
  /// - Complexity: That of folding the flight.
  package func fly(_ troubles: [Trouble]) throws(WhatIfError) -> Flight { try Self.fly(troubles, whatIf) }

  private static func fly(_ troubles: [Trouble], _ whatIf: WhatIf) throws(WhatIfError) -> Flight {
    var judge = FlightJudge()
    let flight = whatIf.flight
    let start = flight.initial
    if start.session != nil {
      judge.watch(
        Record(seq: start.nextSeq - 1, at: flight.startMS, event: .mark(.snapshotEnded)),
        at: .init(file: flight.path, line: 0), state: start)
    }
    var lineCount = 0
    let (figures, state) = try whatIf.fly(through: troubles) { record, state in
      lineCount += 1
      judge.watch(record, at: .init(file: flight.path, line: lineCount), state: state)
    }
    return Flight(
      troubles: troubles, findings: judge.findings, findingCount: judge.findingCount, requests: figures.requests,
      upBytes: figures.upBytes, downBytes: figures.downBytes, withoutMS: figures.withoutMS, lineCount: lineCount,
      digest: state.digest.combined)
  }

  /// The troubles of a sweep: an outage at every minute of the flight.
  ///
  /// - Parameter milliseconds: The length of an outage.
  package func sweep(outageMS milliseconds: Int64) -> [[Trouble]] {
    stride(from: 0, to: max(lengthMS, 1), by: 60_000).map { [Trouble(.outage, $0..<$0 + milliseconds)] }
  }

  /// Flies many flights, several at the same time.
  ///
  /// - Parameters:
  ///   - plans: The troubles of each flight.
  ///   - threads: The number of flights at the same time.
  ///   - onFlight: Called with the number of flights that are complete. Calls come from several threads, one after the other.
  /// - Returns: The flights, in the order of the plans.
  /// - Throws: The first ``WhatIfError`` in that order.
  package func flyAll(
    _ plans: [[Trouble]], threads: Int, onFlight: @escaping (Int) -> Void = { _ in }
  ) throws(WhatIfError) -> [Flight] {
    let results = ParallelWork.results(plans.count, threads: threads, onFinish: onFlight) {
      index -> Result<Flight, WhatIfError> in
      do throws(WhatIfError) {
        return .success(try fly(plans[index]))
      } catch {
        return .failure(error)
      }
    }
    var flights: [Flight] = []
    for result in results { flights.append(try result.get()) }
    return flights
  }

  /// Writes a flight with trouble as a recording.
  ///
  /// - Throws: ``WhatIfError``, also if the file exists or can't be written.
  package func write(_ troubles: [Trouble], to path: String) throws(WhatIfError) {
    _ = try whatIf.write(Alternative(), through: troubles, to: path)
  }
}
