import ContrailCore
import ContrailEngine
import ContrailLog
import ContrailTestSupport
import Testing

/// The signer may be slow, fail or hang: lines are written all the same.
@Suite struct SigningTests {
  private let rig: ManualRig = {
    let rig = ManualRig.launched(signingKey: "0123456789abcdef")
    rig.forget()
    return rig
  }()

  private var asked: [LogHead] { rig.actions.compactMap { if case .sign(let head) = $0 { head } else { nil } } }

  /// Writes a line, and syncs it when its time has come.
  private func writeAndSync() {
    rig.turn { $0.refresh(full: true) }
    rig.write()
    sync()
  }

  /// Fires the timer until the log was synced.
  private func sync() {
    for _ in 0..<10 where rig.command == nil { rig.fire() }
    rig.write()
  }

  private func answer(_ bytes: [UInt8] = [1, 2, 3]) throws {
    rig.feed(.signed(try #require(asked.last), .success(bytes)))
  }

  @Test func aSyncIsFollowedByASignature() throws {
    writeAndSync()
    let head = try #require(asked.last)
    #expect(asked.count == 1)
    try answer()
    guard case .sign(let signature, _) = rig.command else {
      Issue.record("the signature isn't written")
      return
    }
    #expect(signature == LogSignature(of: head, key: "0123456789abcdef", bytes: [1, 2, 3]))
    rig.write()
    #expect(rig.told == [])
  }

  /// Otherwise each signature would lead to another.
  @Test func aSignatureAloneIsNotSigned() throws {
    writeAndSync()
    try answer()
    rig.write()
    rig.forget()
    rig.add(.background(rig.app.makeTicket()))
    rig.write()
    let count = asked.count
    try answer()
    for _ in 0..<5 {
      rig.write()
      rig.fire()
    }
    #expect(asked.count == count)
  }

  @Test func linesAreWrittenWhileTheSignerIsBusy() throws {
    writeAndSync()
    #expect(asked.count == 1)
    rig.forget()
    rig.turn { $0.refresh(full: true) }
    #expect(rig.names.contains("append"))
    rig.write()
    sync()
    #expect(asked.isEmpty, "one at a time")
  }

  @Test func aFailureIsToldOnceAndItsEnd() throws {
    writeAndSync()
    for _ in 0..<3 {
      rig.feed(.signed(try #require(asked.last), .failure(.failed("the key is locked"))))
      rig.now += 40_000
      writeAndSync()
    }
    #expect(rig.told == ["failed - signing"])
    try answer()
    #expect(rig.told == ["failed - signing", "recovered -"])
  }

  @Test func afterAFailureTheSignerIsAskedWithADelay() throws {
    writeAndSync()
    rig.feed(.signed(try #require(asked.last), .failure(.failed("the key is locked"))))
    rig.forget()
    rig.turn { $0.refresh(full: false) }
    rig.write()
    #expect(asked.isEmpty)
    rig.now += 1000
    rig.turn { $0.refresh(full: false) }
    #expect(asked.count == 1)
  }

  @Test func aSignerThatHangsIsToldAndNotAskedAgainBeforeItReturns() throws {
    writeAndSync()
    let head = try #require(asked.last)
    rig.now += 5000
    rig.feed(.timerFired)
    #expect(rig.told == ["failed - signing"])
    rig.forget()
    rig.now += 60_000
    writeAndSync()
    #expect(asked.isEmpty)
    rig.feed(.signed(head, .success([7])))
    guard case .sign(let signature, _) = rig.command else {
      Issue.record("the late signature isn't written")
      return
    }
    #expect(signature.bytes == [7])
    rig.write()
    #expect(asked.count == 1)
  }

  @Test func aSignatureOfAnInvalidSizeCountsAsAFailure() throws {
    writeAndSync()
    try answer([UInt8](repeating: 0, count: 200))
    #expect(rig.command == nil)
    #expect(rig.told == ["failed - signing"])
  }

  @Test func theBackgroundWaitsForTheSignatureAndItsSync() throws {
    let ticket = rig.add { .background($0) }
    rig.write()
    #expect(rig.completed[ticket] == nil && asked.count == 1)
    try answer()
    rig.writeOne()
    #expect(rig.completed[ticket] == nil)
    rig.write()
    #expect(rig.completed[ticket] == [nil])
    #expect(rig.names.filter { ["sync", "append signature"].contains($0) } == ["sync", "append signature", "sync"])
  }

  @Test(arguments: [true, false]) func closingWaitsFiveSecondsAtMost(isHung: Bool) throws {
    let ticket = rig.add { .stop($0) }
    rig.write()
    #expect(asked.count == 1 && !rig.names.contains("close"))
    if isHung {
      #expect(rig.timer == rig.now + 5000)
      rig.fire()
    } else {
      try answer()
      rig.write()
      #expect(rig.names.filter { $0 == "append signature" }.count == 1)
    }
    #expect(rig.names.contains("close"))
    rig.feed(.closed)
    #expect(rig.completed[ticket] == [nil])
  }

  @Test func aSignatureThatCannotBeWrittenIsMadeUpFor() throws {
    writeAndSync()
    try answer()
    rig.refuse()
    #expect(rig.told == [] && asked.count == 1, "a full disk must not keep the signer busy")
    rig.now += 1000
    rig.turn { $0.refresh(full: true) }
    #expect(asked.count == 2)
  }

  @Test func aSignatureIsNotWrittenToASegmentThatHasEnded() throws {
    writeAndSync()
    rig.turn { $0.refresh(full: true) }
    rig.write()
    for _ in 0..<10 where rig.command == nil { rig.fire() }
    rig.refuse(needsRoll: true)
    try answer()
    #expect(rig.command == nil && !rig.names.contains("append signature"))
    // The next segment is signed, and before the log is closed.
    let count = asked.count
    let closing = rig.add { .stop($0) }
    rig.write()
    #expect(asked.count == count + 1)
    try answer()
    rig.write()
    rig.feed(.closed)
    #expect(rig.names.contains("append signature") && rig.completed[closing] == [nil])
  }

  @Test func withoutASignerNobodyIsAsked() {
    let rig = ManualRig.launched()
    rig.turn { $0.refresh(full: true) }
    rig.write()
    for _ in 0..<5 where rig.command == nil { rig.fire() }
    rig.write()
    #expect(!rig.names.contains("sign"))
  }
}
