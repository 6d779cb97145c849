import ContrailCompression

extension LogSegment {
  /// Compresses a finished segment into `<name>.xz`, verifies the result, and removes the uncompressed file.
  ///
  /// This method accesses only the segment's files, so it can run on any thread while the log is written. The segment
  /// must not be removed meanwhile. An interruption at any point leaves a readable directory, and the method can be
  /// called again.
  ///
  /// - Parameters:
  ///   - preset: The compression preset, from 0 (fast) to 9 (small).
  ///   - storage: The file system.
  /// - Returns: The compressed segment.
  /// - Throws: ``LogError/Code/writeFailed`` or ``LogError/Code/unreadable``; the uncompressed file is kept.
  /// - Complexity: O(*n*) in the bytes, at a few megabytes per second; low presets need a few megabytes of memory.
  package func sealed(
    preset: Int = LogSegment.defaultPreset, storage: any LogStorage = SystemStorage()
  ) throws(LogError) -> LogSegment {
    guard !isSealed else { return self }
    let target = LogSegment(path: path + LogFileName.packedSuffix, firstSeq: firstSeq)
    do throws(StorageError) {
      var plain = CRC32C()
      try storage.prepare(target.path) { file throws(StorageError) in plain = try pack(into: file, preset, storage) }
      let packed = try Self.unpackedCheck(target.path + LogFileName.temporarySuffix, storage)
      guard plain == packed else {
        try storage.remove(target.path + LogFileName.temporarySuffix)
        throw StorageError("pack", errorNumber: 0, message: "the decompressed bytes differ from the original")
      }
      try storage.commit(target.path)
      try storage.remove(path)
      try storage.synchronize(directory: Path.directory(of: path))
    } catch {
      throw LogError(.writeFailed, file: target.path, error)
    }
    return target
  }

  /// A fast preset, because compression shares the processor with the engine.
  package static var defaultPreset: Int { 1 }

  private static var blockBytes: Int { 256 << 10 }

  /// Compresses the uncompressed file and returns the checksum of its bytes.
  private func pack(
    into target: any LogFile, _ preset: Int, _ storage: any LogStorage
  ) throws(StorageError) -> CRC32C {
    let source = try storage.open(path, .read)
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { input.deallocate() }
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 64)
    defer { output.deallocate() }
    var check = CRC32C()
    var readBytes: Int64 = 0
    var writtenBytes: Int64 = 0
    let encoder = try Self.packing { () throws(CompressionError) in try XZEncoder(preset: preset) }
    var isAtEnd = false
    while !isAtEnd {
      let count = try source.read(into: input, at: readBytes)
      var rest = UnsafeRawBufferPointer(rebasing: input[..<count])
      check.update(rest)
      readBytes += Int64(count)
      repeat {
        let step = try Self.packing { () throws(CompressionError) in
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

  private static func packing<Result>(_ body: () throws(CompressionError) -> Result) throws(StorageError) -> Result {
    do throws(CompressionError) {
      return try body()
    } catch {
      throw StorageError("pack", errorNumber: 0, message: error.description)
    }
  }

  /// Returns the checksum of a compressed file's contents.
  private static func unpackedCheck(
    _ path: String, _ storage: any LogStorage
  ) throws(StorageError) -> CRC32C {
    let input = PackedInput(FileInput(try storage.open(path, .read), path: path), path: path)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 64)
    defer { block.deallocate() }
    var check = CRC32C()
    do throws(LogError) {
      while case let count = try input.read(into: block), count > 0 {
        check.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
      }
    } catch {
      throw StorageError("unpack", errorNumber: error.errorNumber ?? 0, message: error.reason)
    }
    return check
  }
}
