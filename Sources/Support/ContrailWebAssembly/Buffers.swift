import ContrailCore
import ContrailQuery
import ContrailWire

// What both modules for a browser share, compiled into each of them by `Scripts/wasm`: the engine of the viewer's page, and the client.
//
// Bytes go in through the scratch buffer and come out through the output buffer. Every pointer is valid until the next call.

/// The buffers of one instance of a module. It has one thread.
struct Buffers {
  var scratch: [UInt8] = []
  var output: [UInt8] = []
  var vertices: [Double] = []
  var starts: [UInt32] = []
  var profileMemory = ProfileMemory()
  var profileCells: [UInt32] = []
}

nonisolated(unsafe) var buffers = Buffers()

/// The address of a pointer; 0 for nil.
func address(_ pointer: UnsafeRawPointer?) -> UInt32 { UInt32(UInt(bitPattern: pointer)) }

func address<T>(_ array: [T]) -> UInt32 { array.withUnsafeBufferPointer { address($0.baseAddress) } }

/// The text in the scratch buffer.
func scratchText(_ count: UInt32) -> String {
  String(decoding: buffers.scratch.prefix(Int(count)), as: UTF8.self)
}

func put(_ bytes: [UInt8]) -> UInt32 {
  buffers.output = bytes
  return UInt32(bytes.count)
}

func put(_ write: (inout JSONWriter) -> Void) -> UInt32 {
  var json = JSONWriter()
  write(&json)
  return put(json.bytes)
}

/// Returns the scratch buffer with room for `count` bytes.
@_expose(wasm, "scratch") @_cdecl("contrail_wasm_scratch")
public func scratch(_ count: UInt32) -> UInt32 {
  if buffers.scratch.count < Int(count) { buffers.scratch = [UInt8](repeating: 0, count: Int(count)) }
  return address(buffers.scratch)
}

/// Returns the output of the last call that produced some.
@_expose(wasm, "output") @_cdecl("contrail_wasm_output")
public func output() -> UInt32 { address(buffers.output) }

/// Reads the halves of an H3 index in the scratch buffer.
func scratchHalves(_ index: Int, of count: Int) -> (lo: UInt32, hi: UInt32) {
  buffers.scratch.withUnsafeBytes { bytes in
    (
      bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self),
      bytes.loadUnaligned(fromByteOffset: 4 * (count + index), as: UInt32.self)
    )
  }
}

/// The address of a column of reports, by its place in `ReportColumns`.
func address(ofColumn index: UInt32, of reports: ReportColumns) -> UInt32 {
  switch index {
  case 0: address(reports.lo)
  case 1: address(reports.hi)
  case 2: address(reports.altitude)
  case 3: address(reports.severity)
  case 4: address(reports.edr)
  case 5: address(reports.observedAt)
  case 6: address(reports.scope)
  case 7: address(reports.isRepeated)
  default: 0
  }
}
