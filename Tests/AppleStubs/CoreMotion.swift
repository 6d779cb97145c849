// See README.md.

public import Foundation

public struct CMAcceleration: Sendable {
  public var x, y, z: Double
}

public struct CMRotationRate: Sendable {
  public var x, y, z: Double
}

open class CMLogItem: NSObject {
  open var timestamp: TimeInterval { 0 }
}

open class CMDeviceMotion: CMLogItem {
  open var userAcceleration: CMAcceleration { CMAcceleration(x: 0, y: 0, z: 0) }
  open var gravity: CMAcceleration { CMAcceleration(x: 0, y: 0, z: 0) }
  open var rotationRate: CMRotationRate { CMRotationRate(x: 0, y: 0, z: 0) }
}

public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

open class CMMotionManager: NSObject {
  open var isDeviceMotionAvailable: Bool { false }
  open var deviceMotionUpdateInterval: TimeInterval = 0

  open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler) {}
  open func stopDeviceMotionUpdates() {}
}
