#if canImport(CoreMotion) && !os(macOS) && !os(tvOS)
  public import ContrailGeodesy
  import CoreMotion
  import Foundation

  /// Feeds a ``MotionRecorder`` with the motion of the device.
  ///
  /// ```swift
  /// let device = DeviceMotionRecorder(recorder: MotionRecorder(client: client)) {
  ///   .init(coordinate: position, altitudeFeet: altitude, trueAirspeedMPS: airspeed)
  /// }
  /// device.start()
  /// ```
  ///
  /// The device must be mounted. While it turns faster than an aircraft does, its samples are left out.
  @MainActor
  public final class DeviceMotionRecorder {
    /// The values that the device can't measure.
    public struct FlightState: Sendable {
      public var coordinate: Coordinate
      /// The barometric altitude in feet.
      public var altitudeFeet: Double
      /// The true airspeed in m/s. The ground speed may be used instead: an error of 20% causes an error of 6% in the EDR.
      public var trueAirspeedMPS: Double

      public init(coordinate: Coordinate, altitudeFeet: Double, trueAirspeedMPS: Double) {
        self.coordinate = coordinate
        self.altitudeFeet = altitudeFeet
        self.trueAirspeedMPS = trueAirspeedMPS
      }
    }

    /// Core Motion measures acceleration in units of standard gravity.
    private static let standardGravityMPS2 = 9.80665
    /// Transport aircraft roll at up to about 0.3 rad/s.
    private static let greatestRotationRadiansPerSecond = 0.5
    private static let updateIntervalSeconds = 1.0 / 20

    /// The last error of a report that couldn't be stored.
    public private(set) var lastError: (any Error)?

    private let recorder: MotionRecorder
    private let flightState: @MainActor () -> FlightState?
    private let manager = CMMotionManager()
    private var samples: AsyncStream<(MotionSample, FlightState)?>.Continuation?
    private var feeding: Task<Void, Never>?

    /// - Parameter flightState: Returns the present position, altitude and airspeed; nil if they aren't known. It is called
    ///   20 times a second.
    public init(recorder: MotionRecorder, flightState: @escaping @MainActor () -> FlightState?) {
      self.recorder = recorder
      self.flightState = flightState
    }

    deinit { samples?.finish() }

    /// Starts to record. Returns false if the device has no motion sensors.
    @discardableResult
    public func start() -> Bool {
      guard manager.isDeviceMotionAvailable else { return false }
      guard feeding == nil else { return true }
      // Samples stay in their order. Older ones are dropped if the disk is slow, which is a gap.
      let (stream, continuation) = AsyncStream.makeStream(
        of: (MotionSample, FlightState)?.self, bufferingPolicy: .bufferingNewest(200))
      samples = continuation
      feeding = Task { [weak self, recorder] in
        for await next in stream {
          guard let (sample, state) = next else {
            await recorder.interrupt()
            continue
          }
          do {
            try await recorder.add(sample, at: state.coordinate, altitudeFeet: state.altitudeFeet)
          } catch {
            self?.lastError = error
          }
        }
      }
      manager.deviceMotionUpdateInterval = Self.updateIntervalSeconds
      // The handler runs on the main queue.
      manager.startDeviceMotionUpdates(to: .main) { [weak self] motion, _ in
        guard let self, let motion else { return }
        let acceleration = motion.userAcceleration
        let gravity = motion.gravity
        let rotation = motion.rotationRate
        // Gravity points down and has the length 1.
        let upwards = -(acceleration.x * gravity.x + acceleration.y * gravity.y + acceleration.z * gravity.z)
        let squaredRotation = rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z
        let timeSeconds = motion.timestamp
        MainActor.assumeIsolated {
          self.add(upwardsG: upwards, squaredRotation: squaredRotation, timeSeconds: timeSeconds)
        }
      }
      return true
    }

    /// Stops recording.
    public func stop() {
      manager.stopDeviceMotionUpdates()
      samples?.finish()
      samples = nil
      feeding = nil
    }

    private func add(upwardsG: Double, squaredRotation: Double, timeSeconds: Double) {
      let greatest = Self.greatestRotationRadiansPerSecond
      guard squaredRotation <= greatest * greatest else {
        samples?.yield(nil)
        return
      }
      guard let state = flightState() else { return }
      let sample = MotionSample(
        timeSeconds: timeSeconds, verticalAccelerationMPS2: upwardsG * Self.standardGravityMPS2,
        trueAirspeedMPS: state.trueAirspeedMPS)
      samples?.yield((sample, state))
    }
  }
#endif
