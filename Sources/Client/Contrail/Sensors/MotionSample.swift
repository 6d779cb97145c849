/// One measurement of the aircraft's motion.
public struct MotionSample: Hashable, Sendable {
  /// The time of the measurement in seconds, by a clock that never goes back, such as the time since the device started.
  public var timeSeconds: Double
  /// The vertical acceleration without gravity, in m/s², positive upwards.
  public var verticalAccelerationMPS2: Double
  /// The true airspeed in m/s.
  public var trueAirspeedMPS: Double

  public init(timeSeconds: Double, verticalAccelerationMPS2: Double, trueAirspeedMPS: Double) {
    self.timeSeconds = timeSeconds
    self.verticalAccelerationMPS2 = verticalAccelerationMPS2
    self.trueAirspeedMPS = trueAirspeedMPS
  }
}
