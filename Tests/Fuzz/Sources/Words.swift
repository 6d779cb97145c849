import Foundation

@testable import ContrailRecorderWords
@testable import ContrailWeatherWords

/// Texts that people write, and the weather service's JSON.
enum Words {
  static func track(_ bytes: UnsafeRawBufferPointer) {
    _ = try? Track(csv: String(decoding: bytes, as: UTF8.self))
  }

  static func scenario(_ bytes: UnsafeRawBufferPointer) {
    _ = try? Scenario(text: String(decoding: bytes, as: UTF8.self))
  }

  static func weather(_ bytes: UnsafeRawBufferPointer) {
    _ = try? WeatherResponse(json: Data(bytes))
  }
}
