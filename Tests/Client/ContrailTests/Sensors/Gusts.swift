import Contrail
import ContrailTestSupport
import Foundation

/// Vertical gusts with the spectrum of the inertial subrange, `0.7 ε^(2/3) (V / 2π)^(2/3) f^(−5/3)`.
///
/// A sum of Ornstein–Uhlenbeck processes with corner frequencies `f₁, 4 f₁, 16 f₁, …` and the spectra
/// `a f₁^(−5/3) / (1 + (f / f₁)²)` has that spectrum, because `∫ u^(−2/3) / (1 + u²) du = π` from 0 to infinity. Those with
/// corners below 0.004 Hz all fall with `f^(−2)` in the band, and are added to the lowest.
struct Gusts {
  private struct Component {
    var value: Double
    let memory: Double
    let noise: Double
  }

  private var components: [Component] = []
  private var random: SplitMix64

  init(seed: UInt64, edr: Double, airspeedMPS: Double, rateHZ: Double) {
    random = SplitMix64(seed: seed)
    let level = 0.7 * edr * edr * pow(airspeedMPS / (2 * .pi), 2.0 / 3)
    for index in 0..<7 {
      let corner = 0.004 * pow(4, Double(index))
      // The one-sided spectrum A / (1 + (f / f₁)²) has the variance A f₁ π / 2.
      let lower = index == 0 ? 1 / (1 - pow(4, -1.0 / 3)) : 1
      let variance = lower * level * log(4) / .pi * pow(corner, -5.0 / 3) * corner * .pi / 2
      let memory = exp(-2 * .pi * corner / rateHZ)
      components.append(
        Component(value: 0, memory: memory, noise: (variance * (1 - memory * memory)).squareRoot()))
      components[index].value = normal() * variance.squareRoot()
    }
  }

  /// The next gust in m/s.
  mutating func next() -> Double {
    var sum = 0.0
    for index in components.indices {
      components[index].value = components[index].memory * components[index].value + components[index].noise * normal()
      sum += components[index].value
    }
    return sum
  }

  /// A normal variable: the sum of four uniform ones.
  private mutating func normal() -> Double {
    let bits = random.next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Double(sum) / 65_536 - 2 + 2.0 / 65_536) * 3.0.squareRoot()
  }
}

/// Vertical gusts with von Kármán's spectrum: a sum of sinusoids, each frequency with its amplitude.
struct KarmanGusts {
  private struct Wave {
    var cosine: Double
    var sine: Double
    let turnCosine: Double
    let turnSine: Double
  }

  private var waves: [Wave] = []

  /// - Parameters:
  ///   - lengthM: The length scale of the turbulence.
  ///   - plungePerSecond: If not nil, the result is multiplied by the response of an aircraft that moves with the gust,
  ///     `iω / (iω + λ)`.
  init(seed: UInt64, edr: Double, airspeedMPS: Double, rateHZ: Double, lengthM: Double, plungePerSecond: Double?) {
    var random = SplitMix64(seed: seed)
    let count = 120
    let width = log(3 / 0.005) / Double(count)
    for index in 0..<count {
      // A little off the grid, so that the series doesn't repeat.
      let frequency = 0.005 * exp((Double(index) + Double.random(in: 0..<1, using: &random)) * width)
      let x = 1.339 * lengthM * 2 * .pi * frequency / airspeedMPS
      let inertial = 0.7 * edr * edr * pow(airspeedMPS / (2 * .pi), 2.0 / 3) * pow(frequency, -5.0 / 3)
      var density = inertial * (1 + 8.0 / 3 * x * x) / (8.0 / 3 * x * x) * pow(x * x / (1 + x * x), 11.0 / 6)
      if let plungePerSecond {
        let omega = 2 * .pi * frequency
        density *= omega * omega / (omega * omega + plungePerSecond * plungePerSecond)
      }
      let amplitude = (2 * density * frequency * width).squareRoot()
      let phase = Double.random(in: 0..<(2 * .pi), using: &random)
      let turn = 2 * .pi * frequency / rateHZ
      waves.append(
        Wave(cosine: amplitude * cos(phase), sine: amplitude * sin(phase), turnCosine: cos(turn), turnSine: sin(turn)))
    }
  }

  /// The next gust in m/s.
  mutating func next() -> Double {
    var sum = 0.0
    for index in waves.indices {
      let wave = waves[index]
      waves[index].cosine = wave.cosine * wave.turnCosine - wave.sine * wave.turnSine
      waves[index].sine = wave.cosine * wave.turnSine + wave.sine * wave.turnCosine
      sum += wave.cosine
    }
    return sum
  }
}
