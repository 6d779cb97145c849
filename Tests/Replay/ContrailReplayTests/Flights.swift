import ContrailCore
import ContrailTestSupport
import ContrailWire

/// Small flights whose logs the tests read.
enum Flights {
  /// Two minutes of updates, then four hours of history instead of two, a refresh offline, a relaunch, a lost token.
  static func widened() -> Rig { flown }

  private static let flown: Rig = {
    var rig = Rig.flying()
    rig.pass(seconds: 60)
    rig.now += 800
    rig.answer()
    rig.pass(seconds: 60)
    rig.answer { $0.wireBytes = 1234 }
    rig.now += 30_000
    rig.send(.historyChanged(.fourHours))
    rig.now += 2000
    rig.answer { $0.wireBytes = 40_960 }
    rig.send(.connectivityChanged(isOnline: false))
    rig.pass(seconds: 60)
    rig.send(.refreshRequested(full: false))
    rig.now += 60_000
    rig.launch()
    rig.answer { $0.wireBytes = 900 }
    rig.pass(seconds: 60)
    rig.answer(.corridor, status: 410)
    rig.now += 1000
    rig.answer { $0.wireBytes = 50_000 }
    return rig
  }()

  /// The same rules with no reports at all, so that the log is short.
  static func small() -> Rig {
    var rig = Rig()
    rig.launch()
    rig.query { $0.polygon = Rig.area }
    rig.now += 1500
    rig.answer { $0.wireBytes = 300 }
    rig.pass(seconds: 60)
    rig.fail()
    rig.now += 100
    rig.send(.credentialsChanged)
    return rig
  }
}
