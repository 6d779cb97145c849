import ContrailXZ

extension LogSegment {
  /// Seals a segment that nothing is appended to any more: packs it into `<name>.xz`, byte for byte, proves that it
  /// unpacks to the same, and only then removes the plain file.
  ///
  /// It touches no file but the segment's, so it may run beside the writer, on any thread; nothing must remove the segment
  /// meanwhile. Killed at any point, it leaves a directory that reads the same, and can be run again.
  ///
  /// - Parameter preset: 0 (fast) to 9 (small).
  /// - Returns: The segment as it is now.
  /// - Throws: ``LogError/Code/writeFailed`` or ``LogError/Code/unreadable``; the plain file stands.
  /// - Complexity: O(*n*) in the bytes, at a few megabytes a second; a few megabytes of memory for low presets.
  public func sealed(
    preset: Int = LogSegment.defaultPreset, storage: any LogStorage = POSIXStorage()
  ) throws(LogError) -> LogSegment {
    guard !isSealed else { return self }
    let target = LogSegment(path: path + LogFileName.packedSuffix, firstSeq: firstSeq)
    do throws(StorageFault) {
      var plain = CRC32C()
      try storage.prepare(target.path) { file throws(StorageFault) in plain = try pack(into: file, preset, storage) }
      let packed = try Self.unpackedCheck(target.path + LogFileName.temporarySuffix, storage)
      guard plain == packed else {
        try storage.remove(target.path + LogFileName.temporarySuffix)
        throw StorageFault("pack", errorNumber: 0, message: "what was packed unpacks to something else")
      }
      try storage.commit(target.path)
      try storage.remove(path)
      try storage.synchronize(directory: Path.directory(of: path))
    } catch {
      throw LogError(.writeFailed, file: target.path, error)
    }
    return target
  }

  /// Fast, for sealing shares the processor with the engine.
  public static var defaultPreset: Int { 1 }

  private static var blockBytes: Int { 256 << 10 }

  /// Packs the plain file, and answers the check of its bytes.
  private func pack(
    into target: any LogFile, _ preset: Int, _ storage: some LogStorage
  ) throws(StorageFault) -> CRC32C {
    let source = try storage.open(path, .read)
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { input.deallocate() }
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { output.deallocate() }
    var check = CRC32C()
    var readBytes: Int64 = 0
    var writtenBytes: Int64 = 0
    let encoder = try Self.packing { () throws(XZError) in try XZEncoder(preset: preset) }
    var isAtEnd = false
    while !isAtEnd {
      let count = try source.read(into: input, at: readBytes)
      var rest = UnsafeRawBufferPointer(rebasing: input[..<count])
      check.update(rest)
      readBytes += Int64(count)
      repeat {
        let step = try Self.packing { () throws(XZError) in
          try encoder.encode(rest, into: output, isLast: count == 0)
        }
        try target.writeAll(UnsafeRawBufferPointer(rebasing: output[..<step.producedBytes]), at: writtenBytes)
        writtenBytes += Int64(step.producedBytes)
        rest = UnsafeRawBufferPointer(rebasing: rest[step.consumedBytes...])
        isAtEnd = step.isAtEnd
      } while !rest.isEmpty || count == 0 && !isAtEnd
    }
    return check
  }

  private static func packing<Result>(_ body: () throws(XZError) -> Result) throws(StorageFault) -> Result {
    do throws(XZError) {
      return try body()
    } catch {
      throw StorageFault("pack", errorNumber: 0, message: error.description)
    }
  }

  /// The check of what a packed file holds.
  private static func unpackedCheck(
    _ path: String, _ storage: some LogStorage
  ) throws(StorageFault) -> CRC32C {
    let input = PackedInput(FileInput(try storage.open(path, .read), path: path), path: path)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 64)
    defer { block.deallocate() }
    var check = CRC32C()
    do throws(LogError) {
      while case let count = try input.read(into: block), count > 0 {
        check.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
      }
    } catch {
      throw StorageFault("unpack", errorNumber: error.errorNumber ?? 0, message: error.reason)
    }
    return check
  }
}
