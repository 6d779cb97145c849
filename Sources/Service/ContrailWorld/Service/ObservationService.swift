import ContrailGeodesy
import ContrailH3
import ContrailWire

/// Implements the protocol for a world and uploaded reports, independent of HTTP.
///
/// A response at time N, in whole seconds, contains only records that arrived before N. A later delta since N
/// therefore returns the rest.
package actor ObservationService {
  private var archive: WorldArchive
  private var uploads: UploadStore
  private var areas = PolygonCache()
  private var arrivals = ArrivalLog()
  /// The maximum age of a delta's token in seconds.
  private let retentionSeconds: Int64

  // Of a live service; see ObservationService+Log.

  /// The fold of the log; nil if the world is a simulated or recorded one.
  var state: ServiceState?
  let log: ServiceLog?
  /// The progress in a log that services share; nil for a log of its own.
  var shared: SharedProgress?
  /// The time in milliseconds since 1970: that of the log, if services share it.
  package nonisolated let clock: @Sendable () -> Int64
  /// What requests for areas held when they were answered last, by the digest of the area and the filter.
  private var sums: [SumKey: KnownSums] = [:]
  /// The callers that wait for a sync of the log.
  var syncWaiters: [CheckedContinuation<Bool, Never>] = []
  /// The credits that sources said are left, and the day on which they said it, counted from 1970.
  var creditsLeft: [String: (count: Int64, day: Int64)] = [:]
  /// The greatest time of an answer in seconds since 1970.
  private(set) var served: Int64 = 0
  nonisolated let isLive: Bool

  init(world: any World, retentionSeconds: Int64, uploads: UploadStore = UploadStore()) {
    archive = WorldArchive(world: world)
    self.uploads = uploads
    self.retentionSeconds = max(retentionSeconds, 0)
    (state, log, clock, isLive) = (nil, nil, { 0 }, false)
  }

  init(
    state: ServiceState, log: sending ServiceLog?, shared: SharedProgress? = nil,
    clock: @escaping @Sendable () -> Int64, retentionSeconds: Int64
  ) {
    archive = WorldArchive(world: LiveWorld(beginning: 0), capacity: 1)
    uploads = UploadStore()
    self.retentionSeconds = max(retentionSeconds, 0)
    (self.state, self.log, self.shared, self.clock, isLive) = (state, log, shared, clock, true)
  }

  private var world: any World { state?.world ?? archive.world }

  private var uploaded: [WorldEpoch.Observation] { state?.uploads.observations ?? uploads.observations }

  private func epochs(after start: Int64, before end: Int64) -> [WorldEpoch] {
    state?.world.epochs(after: start, before: end) ?? archive.epochs(after: start, before: end)
  }

  /// Returns all records, or those that arrived since a token.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The time in seconds since 1970.
  ///   - area: The digest of the area, if other requests for it follow.
  /// - Throws: 410 if the token is older than the retention or the world, or is in the future.
  /// - Complexity: O(*n*) in the reports of the history. For a live world and an area that was asked for before, O(*n*) in the reports
  ///   that arrived or expired since then.
  func observations(
    _ request: ObservationsRequest, now: Int64, area: UInt64? = nil
  ) throws(ServiceError) -> ObservationsAnswer {
    var answer = ObservationsAnswer(token: now)
    served = max(served, now)
    if let since = request.since {
      guard since <= now else {
        throw ServiceError(
          status: 410, code: ServiceError.deltaUnavailable,
          message: "the server's time is \(now), before \(since): ask for everything")
      }
      guard since >= now - retentionSeconds else {
        throw ServiceError(
          status: 410, code: ServiceError.deltaUnavailable,
          message:
            "changes are kept for \(retentionSeconds) seconds and \(since) is \(now - since) ago: ask for everything")
      }
      guard since >= world.beginning else {
        throw ServiceError(
          status: 410, code: ServiceError.deltaUnavailable,
          message: "the server began its day anew at \(world.beginning), after \(since): ask for everything")
      }
      answer.follows = since
    }
    if isLive {
      addLiveRecords(to: &answer, request, now: now, area: area)
    } else {
      addRecords(to: &answer, request, now: now)
    }
    if request.types.contains(.traffic) {
      answer.traffic = traffic(in: request.ring, at: now)
    }
    return answer
  }

  private func addRecords(to answer: inout ObservationsAnswer, _ request: ObservationsRequest, now: Int64) {
    let epochs = epochs(after: now - request.history.seconds, before: now)
    let arrivedSince = request.since ?? Int64.min
    if request.types.contains(.turbulence) {
      var checksum: UInt64 = 0
      let held = held(epochs, request: request, now: now)
      for observation in held {
        checksum &+= observation.report.digest
        if observation.arrival >= arrivedSince { answer.reports.append(observation.report) }
      }
      answer.held = HeldSum(count: held.count, checksum: checksum)
    } else {
      answer.held = HeldSum(count: 0, checksum: 0)
    }
    if request.types.contains(.pireps) {
      var sum = HeldSum(count: 0, checksum: 0)
      for history in epochs.lazy.flatMap(\.pireps) {
        guard let pirep = history.version(asOf: now), pirep.observedAt > now - request.history.seconds,
          request.ring.contains(pirep.position)
        else { continue }
        sum.count += 1
        sum.checksum &+= pirep.digest
        if pirep.updatedAt >= arrivedSince { answer.pireps.append(pirep) }
      }
      answer.heldPIREPs = sum
    }
  }

  /// Adds the records of a live world. An area that was asked for before needs only what arrived or expired since then.
  private func addLiveRecords(
    to answer: inout ObservationsAnswer, _ request: ObservationsRequest, now: Int64, area: UInt64?
  ) {
    let key = area.map { SumKey(area: $0, filter: request.filter) }
    let (ring, history) = (request.ring, request.history.seconds)
    var known = key.flatMap { sums[$0] } ?? KnownSums()
    answer.held = HeldSum(count: 0, checksum: 0)
    if request.types.contains(.turbulence) {
      let filter = request.filter.reports(asOf: 0)
      let found = state?.world.reportIndex.held(
        at: now, since: request.since, historySeconds: history, known: known.reports, in: ring
      ) { filter.admits($0.report) }
      if let found {
        known.reports = found.known
        answer.held = found.known.sum
        answer.reports = found.new.sorted(by: WorldEpoch.Observation.precedes).map(\.report)
      }
    }
    if request.types.contains(.pireps) {
      let found = state?.world.pirepIndex.held(
        at: now, since: request.since, historySeconds: history, known: known.pireps, in: ring
      ) { _ in true }
      if let found {
        known.pireps = found.known
        answer.heldPIREPs = found.known.sum
        answer.pireps = found.new.sorted { ($0.observedAt, $0.id) < ($1.observedAt, $1.id) }
      }
    }
    guard let key else { return }
    if sums.count >= Self.maximumSums, sums[key] == nil { sums.removeAll(keepingCapacity: true) }
    sums[key] = known
  }

  private struct SumKey: Hashable {
    let area: UInt64
    let filter: Filter
  }

  private struct KnownSums {
    var reports: ArrivalIndex<WorldEpoch.Observation>.Known?
    var pireps: ArrivalIndex<PIREP>.Known?
  }

  /// The maximum number of sums. Without its sum, a request is answered from all reports.
  private static let maximumSums = 200_000

  /// Returns the records that arrive from `start` until before `end`, in seconds since 1970, those of the world in order.
  ///
  /// - Complexity: O(records) for a live world, see ``ArrivalLog/arrivals(from:to:in:)`` for others.
  func arrivals(from start: Int64, to end: Int64) -> [HoldRegistry.Arrival] {
    guard start < end else { return [] }
    if isLive {
      let reports = state?.world.reportIndex.arrivals(from: start, before: end) ?? []
      let pireps = state?.world.pirepIndex.arrivals(from: start, before: end) ?? []
      return reports.map { .report($0) } + pireps.map { .pirep($0) }
    }
    return arrivals.arrivals(from: start, to: end, in: &archive)
      + uploads.observations.lazy.filter { $0.arrival >= start && $0.arrival < end }.map { .report($0) }
  }

  /// Returns the records that arrived from `start` until before `end`. What is stored later arrives at `end` or later.
  func news(from start: Int64, to end: Int64) -> [HoldRegistry.Arrival] {
    served = max(served, end)
    return arrivals(from: start, to: end)
  }

  private func traffic(in ring: Ring, at time: Int64) -> [TrafficPosition] {
    world.traffic(at: time).filter { ring.contains($0.position) }
  }

  /// Returns the traffic that the client holds as of the token of its request; empty if its checksum differs.
  ///
  /// - Complexity: O(*aircraft*).
  func traffic(held checksum: UInt32?, in request: ObservationsRequest) -> [TrafficPosition] {
    guard let checksum, let since = request.since, request.types.contains(.traffic) else { return [] }
    let traffic = traffic(in: request.ring, at: since)
    return TrafficPosition.checksum(of: traffic) == checksum ? traffic : []
  }

  /// Returns the records that the client holds as of the token of its request; empty if their checksum differs.
  ///
  /// - Complexity: O(*n*) in the reports of the history.
  func records(held checksum: UInt32, in request: ObservationsRequest, now: Int64) -> HeldRecords {
    guard let since = request.since, since <= now, since >= max(now - retentionSeconds, world.beginning)
    else {
      return HeldRecords()
    }
    var whole = request
    whole.since = nil
    guard let answer = try? observations(whole, now: since) else { return HeldRecords() }
    let records = HeldRecords(reports: answer.reports, pireps: answer.pireps)
    return records.checksum == checksum ? records : HeldRecords()
  }

  /// Stores uploaded reports; see ``UploadStore/accept(_:heldBack:owner:key:bodyDigest:now:)``.
  func store(
    _ observations: [WorldEpoch.Observation], owner: String = "", key: String, bodyDigest: UInt64, now: Int64
  ) throws(ServiceError) -> UploadAnswer {
    areas.removeAll()
    return try uploads.accept(observations, owner: owner, key: key, bodyDigest: bodyDigest, now: now)
  }

  /// Returns the turbulence areas of a history time at the last full five minutes, from reports and advisories.
  ///
  /// If the request contains a ring, only areas that intersect it are returned.
  ///
  /// - Complexity: O(*n* log *n*) in the reports of the history, once per five minutes.
  func polygons(_ request: PolygonsRequest, now: Int64) -> PolygonDocument {
    let token = now - now % PolygonDocument.stepSeconds
    let made: [PolygonsAnswer.Area]
    if let known = areas.areas(request.history, token: token) {
      made = known
    } else {
      let start = token - request.history.seconds
      let reports = (epochs(after: start, before: token).flatMap(\.observations) + uploaded)
        .filter { $0.arrival < token && Int64($0.report.observedAt) > start }
        .sortedWithoutDoubles()
      made =
        TurbulenceAreas.areas(of: reports.lazy.map(\.report)) + world.advisories(after: start, before: token)
      areas.insert(made, request.history, token: token)
    }
    let wanted = request.ring.map { ring in made.filter { $0.meets(ring) } } ?? made
    return PolygonDocument(PolygonsAnswer(token: token, areas: wanted))
  }

  /// Returns Held(spec, N) in the order of responses.
  private func held(_ epochs: [WorldEpoch], request: ObservationsRequest, now: Int64) -> [WorldEpoch.Observation] {
    let spec = FetchSpec(
      area: .ring(request.ring), filter: request.filter)
    func admits(_ observation: WorldEpoch.Observation) -> Bool {
      observation.arrival < now && spec.admits(observation.report, asOf: now)
        && request.ring.contains(observation.centre)
    }
    let world = epochs.lazy.flatMap(\.observations).filter(admits)
    let uploaded = uploaded.filter(admits)
    // The observations of consecutive epochs are sorted and have no duplicates.
    return uploaded.isEmpty ? Array(world) : (Array(world) + uploaded).sortedWithoutDoubles()
  }
}

extension ObservationService {
  /// Accepts reports uploaded by a client. Their arrival time is that of their storage: an upload may take seconds, and answers at a later
  /// time than that of the request may have been sent meanwhile.
  ///
  /// - Parameter clock: The time in seconds since 1970.
  /// - Returns: The number of reports that are recent enough. None is held back.
  /// - Throws: 409 if the key was used with another body within 30 days.
  func accept(
    _ upload: ReportsUpload, owner: String = "", key: String, bodyDigest: UInt64, clock: @Sendable () -> Int64
  ) throws(ServiceError) -> UploadAnswer {
    let now = clock()
    let observations = upload.reports.compactMap { WorldEpoch.Observation($0, arrival: now) }
    return try store(observations, owner: owner, key: key, bodyDigest: bodyDigest, now: now)
  }
}

extension ReportsUpload {
  /// The tolerance in seconds for device clocks that are ahead.
  static let clockTolerance: Int64 = 120

  /// Decodes an upload. Reports from the future are refused, because they would never expire.
  init(json bytes: UnsafeRawBufferPointer, now: Int64) throws(WireError) {
    try self.init(json: bytes)
    let newest = reports.reduce(Int64(0)) { max($0, Int64($1.observedAt)) }
    guard newest <= now + Self.clockTolerance else {
      throw WireError.fromTheFuture(observedAt: newest, token: now)
    }
  }
}
