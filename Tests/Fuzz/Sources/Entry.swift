import Foundation

/// The target that the environment names.
private let target: Target = {
  let name = ProcessInfo.processInfo.environment["CONTRAIL_FUZZ_TARGET"] ?? ""
  guard let target = Target(rawValue: name) else {
    FileHandle.standardError.write(Data("CONTRAIL_FUZZ_TARGET names no target\n".utf8))
    exit(64)
  }
  return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  target.run(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
