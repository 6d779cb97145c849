import Contrail
import Foundation

// See `Snippets.swift`.

/// A flight as an application's own code describes it.
struct Aircraft {
  struct Motion {
    var uptime = 0.0
    var vertical = 0.0
    var airspeed = 0.0
    var altitude = 0.0
    var altitudeFeet = 0.0
    var coordinate = Coordinate(latitude: 0, longitude: 0)
    var sample: MotionSample {
      MotionSample(timeSeconds: uptime, verticalAccelerationMPS2: vertical, trueAirspeedMPS: airspeed)
    }
  }

  var motions: AsyncStream<Motion>
}

func measureTurbulence(_ server: URL, _ key: String, _ folder: URL, _ aircraft: Aircraft) async throws {
  let client = try ContrailClient(.init(server: server, apiKey: key, directory: folder))
  let recorder = MotionRecorder(client: client)
  for await motion in aircraft.motions {
    let sample = MotionSample(
      timeSeconds: motion.uptime, verticalAccelerationMPS2: motion.vertical, trueAirspeedMPS: motion.airspeed)
    try await recorder.add(sample, at: motion.coordinate, altitudeFeet: motion.altitude)
  }
}

func recordMotion(_ client: ContrailClient, _ aircraft: Aircraft) async throws {
  let recorder = MotionRecorder(client: client)
  for await motion in aircraft.motions {
    try await recorder.add(motion.sample, at: motion.coordinate, altitudeFeet: motion.altitudeFeet)
  }
}

#if canImport(CoreMotion) && (os(iOS) || os(visionOS))
  @MainActor func recordDeviceMotion(
    _ client: ContrailClient, _ recorder: MotionRecorder, _ position: Coordinate, _ altitude: Double, _ airspeed: Double
  ) {
    let device = DeviceMotionRecorder(recorder: recorder) {
      .init(coordinate: position, altitudeFeet: altitude, trueAirspeedMPS: airspeed)
    }
    device.start()
  }

  @MainActor func recordDeviceMotion(
    _ client: ContrailClient, _ position: Coordinate, _ altitude: Double, _ airspeed: Double
  ) {
    let device = DeviceMotionRecorder(recorder: MotionRecorder(client: client)) {
      .init(coordinate: position, altitudeFeet: altitude, trueAirspeedMPS: airspeed)
    }
    device.start()
  }
#endif
