#if Online
  import ContrailWire
  import Testing

  @testable import ContrailServer

  @Suite struct SimulatedWorldTests {
    static let noon: Int64 = 1_780_056_000

    @Test(arguments: [1, 2, 77, UInt64.max]) func atLeastFourHundredAircraftAreAloftAtAnyHour(seed: UInt64) {
      let world = SimulatedWorld(seed: seed)
      for hour in 0..<36 {
        let time = Self.noon + Int64(hour) * 3600 + Int64(hour) * 86_400 * 9
        let aloft = world.tails.count { $0.flight(at: time) != nil }
        #expect(aloft >= 400, "\(aloft) at \(time)")
      }
    }
  }
#endif
