import ContrailEngine
import ContrailLog
import ContrailTestSupport
import ContrailWire
import Testing

@testable import Contrail
@testable import ContrailCore

/// The copy of the settings beside the log.
@Suite struct SettingsFileTests {
  private static func state(_ inputs: [Input]) -> State {
    var state = State()
    for input in inputs { state.evolve(.init(seq: state.nextSeq, at: 1_750_000_000_000, event: .input(input))) }
    return state
  }

  private static let query: ResolvedQuery = {
    var query = ResolvedQuery()
    query.types = [.turbulence, .pireps]
    query.severities = SeveritySet([.moderate])
    return query
  }()

  private static let listening: ListeningSettings = {
    var settings = ListeningSettings()
    settings.urgentSeverity = .light
    return settings
  }()

  private static let some: [Input] = [
    .queryChanged(query), .historyChanged(.fourHours), .frequencyChanged(.medium),
  ]
  private static let all =
    some + [.listeningChanged(listening), .budgetChanged(ByteBudget(bytes: 500, per: .flight("x")))]

  @Test(arguments: [[], some, all]) func whatIsKeptIsReadAtTheNextLaunch(inputs: [Input]) throws {
    let (folder, storage) = (try TemporaryDirectory(), POSIXStorage())
    var file = SettingsFile(directory: folder.path, storage: storage)
    let missing = file.read()
    #expect(missing == nil && file.seq == nil)
    let state = Self.state(inputs)
    file.keep(state)
    var next = SettingsFile(directory: folder.path, storage: storage)
    let found = next.read()
    let read = try #require(found)
    #expect(next.seq == state.nextSeq)
    #expect(read.dataQuery.types == state.query.types && read.dataQuery.sevs == state.query.severities.severities)
    #expect(read.dataHistoryTime == state.history && read.dataUpdateFrequency == state.frequency)
    #expect(read.listening == state.listening.settings && read.byteBudget == state.byteUse.budget)
  }

  @Test func itIsWrittenWhenASettingChanges() throws {
    let (folder, storage) = (try TemporaryDirectory(), POSIXStorage())
    var file = SettingsFile(directory: folder.path, storage: storage)
    var state = Self.state(Self.some)
    file.keep(state)
    let first = state.nextSeq
    // Nothing of the settings has changed, so the file keeps its line.
    state.evolve(.init(seq: state.nextSeq, at: 1_750_000_000_000, event: .input(.connectivityChanged(isOnline: true))))
    file.keep(state)
    var next = SettingsFile(directory: folder.path, storage: storage)
    _ = next.read()
    #expect(next.seq == first)
    state.evolve(.init(seq: state.nextSeq, at: 1_750_000_000_000, event: .input(.historyChanged(.hour))))
    next.keep(state)
    var last = SettingsFile(directory: folder.path, storage: storage)
    let read = last.read()
    #expect(read?.dataHistoryTime == .hour)
    #expect(last.seq == state.nextSeq)
  }

  @Test func aRefusedWriteLeavesTheCopyAndIsMadeUpForByTheNext() throws {
    let disk = MemoryDisk()
    func copy() -> AppSettings? {
      var file = SettingsFile(directory: "/log", storage: disk)
      return file.read()
    }
    var file = SettingsFile(directory: "/log", storage: disk)
    file.keep(Self.state(Self.some))
    let state = Self.state(Self.all)
    disk.refuses = { $0 == "write" }
    file.keep(state)
    #expect(copy()?.dataHistoryTime == .fourHours && copy()?.byteBudget == ByteBudget())
    disk.refuses = { _ in false }
    file.keep(state)
    #expect(copy()?.byteBudget == state.byteUse.budget && copy()?.listening == state.listening.settings)
  }
}
