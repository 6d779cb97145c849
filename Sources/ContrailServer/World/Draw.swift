#if Online
  import ContrailWire

  /// Numbers drawn from a seed: the same for the same seed, purpose and arguments, in whatever order they are asked for.
  ///
  /// The world keeps no generator with a state, so that it can be asked for any time.
  struct Draw: Sendable {
    /// What a number is drawn for; two purposes never share their numbers.
    enum Purpose: UInt64, Sendable {
      case route = 1
      case schedule
      case level
      case address
      case offline
      case delay
      case bumps
      case pirep
      case noise
      case jet
      case fault
      case weather
    }

    private let root: UInt64

    init(seed: UInt64, _ purpose: Purpose) {
      root = Digest.mix(Digest.mix(seed) ^ purpose.rawValue &* 0x9e37_79b9_7f4a_7c15)
    }

    /// 64 bits for up to three arguments.
    @inline(__always)
    func bits(_ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> UInt64 {
      Digest.mix(Digest.mix(Digest.mix(root &+ a) &+ b) &+ c)
    }

    /// A number in 0 ..< 1 for up to three arguments.
    @inline(__always)
    func unit(_ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> Double {
      Double(bits(a, b, c) >> 11) * 0x1p-53
    }

    /// A number in 0 ..< `count` for up to three arguments; 0 where there is nothing to choose from.
    func index(below count: Int, _ a: UInt64, _ b: UInt64 = 0, _ c: UInt64 = 0) -> Int {
      count > 0 ? Int(bits(a, b, c) % UInt64(count)) : 0
    }
  }
#endif
