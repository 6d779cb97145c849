import ContrailLog
import ContrailTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SplitMix64 {
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

func contents(_ path: String) throws -> [UInt8] { try TemporaryDirectory.contents(path) }

/// Replaces what is under the path.
func put(_ bytes: some Collection<UInt8>, _ path: String) throws {
  let bytes = Array(bytes)
  let storage = POSIXStorage()
  if try storage.kind(of: path) == .file { try storage.remove(path) }
  let file = try storage.open(path, .create)
  var count = 0
  while count < bytes.count {
    count += try bytes.withUnsafeBytes {
      try file.write(UnsafeRawBufferPointer(rebasing: $0[count...]), at: Int64(count))
    }
  }
}

func put(_ text: String, _ path: String) throws { try put(Array(text.utf8), path) }

/// All lines that can be read.
func envelopes(_ path: String, options: LogReader.Options = .init()) throws -> [LogEnvelope] {
  let reader = try LogReader(path: path, options: options)
  var envelopes: [LogEnvelope] = []
  while let line = try reader.next() { envelopes.append(line.envelope) }
  return envelopes
}

func readError(_ path: String, options: LogReader.Options = .init()) -> LogError? {
  do {
    _ = try envelopes(path, options: options)
    return nil
  } catch {
    return error as? LogError
  }
}
