import ContrailLog
import ContrailReplay
import ContrailWire

// The fold of one log at a time, for a processor on which the whole package can't be built: compiled by `Scripts/same-bits` with
// Embedded Swift. `main.c` reads the files and prints.

/// The files of the log that is folded next. The program has one thread.
nonisolated(unsafe) private var files: [String: [UInt8]] = [:]

private func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
  String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}

/// Adds a file of the log.
@_cdecl("contrail_add_file")
public func addFile(
  _ path: UnsafePointer<UInt8>, _ pathCount: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int
) {
  files[text(path, pathCount)] = Array(UnsafeBufferPointer(start: bytes, count: count))
}

/// Folds the log at a path, and writes its verdict as JSON into `output`.
///
/// Returns the number of bytes of the verdict, of which at most `capacity` were written.
@_cdecl("contrail_fold")
public func fold(
  _ path: UnsafePointer<UInt8>, _ pathCount: Int, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
  let playback = Playback(path: text(path, pathCount), storage: MemoryStorage(files))
  files = [:]
  while playback.step(byteCount: 1 << 20) {}
  var json = JSONWriter()
  playback.writeVerdict(to: &json)
  let verdict = json.bytes
  for index in 0..<min(verdict.count, capacity) { output[index] = verdict[index] }
  return verdict.count
}
