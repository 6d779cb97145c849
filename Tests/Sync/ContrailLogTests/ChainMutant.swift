import ContrailTestSupport

@testable import ContrailLog

/// A log as somebody without the key edits it.
struct ChainMutant {
  /// What is done to the log.
  enum Edit: CaseIterable {
    /// A byte of a line, and nothing else.
    case byte
    /// Part of a line, with the line's CRC.
    case payload
    /// A line that is taken out, added or moved, with all numbers and CRCs after it.
    case removal
    case insertion
    case swap
    /// A line that is taken out, with nothing else.
    case bareRemoval
    /// A time, in a mark or another line, with the line's CRC.
    case time
    /// All hashes, from one mark on.
    case noHashes
    /// A segment in the middle, or the oldest ones.
    case segmentRemoval
    case oldestRemoval
    /// The lines at the end.
    case end
    /// As the others, and with all hashes made anew, so that only signatures are left.
    case rehashedPayload
    case rehashedRemoval
    case rehashedInsertion
    case rehashedSwap
    /// As before, and without the signatures after the edit.
    case rehashedWithoutSignatures
    /// As before, with a signature of another place.
    case rehashedWithOldSignature
    /// As before, with a signature by another key under the name of the right one.
    case rehashedWithForgedSignature

    var isRehashed: Bool {
      switch self {
      case .rehashedPayload, .rehashedRemoval, .rehashedInsertion, .rehashedSwap, .rehashedWithoutSignatures,
        .rehashedWithOldSignature, .rehashedWithForgedSignature:
        true
      default: false
      }
    }
  }

  struct Line {
    var seq: Int64
    var at: Int64
    var kind: String
    var payload: [UInt8]

    init(_ line: LogLine) { (seq, at, kind, payload) = (line.seq, line.at, line.kindName, Array(line.payload)) }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      let kind = Array(kind.utf8)
      kind.withUnsafeBytes { kind in
        _ = payload.withUnsafeBytes {
          LogLine.append(seq: seq, at: at, kind: kind, payload: $0, hasCRC: true, to: &bytes)
        }
      }
      return bytes
    }
  }

  /// The segments, each with its lines.
  private(set) var files: [[Line]] = []
  /// Bytes that aren't those of a line any more, by the `seq` of the line; empty for none.
  private var raw: [Int64: [UInt8]] = [:]
  /// The first line that differs from the honest log's, or is missing; nil if the edit did nothing.
  private(set) var firstChange: Int64?
  private let original: [Int64: [UInt8]]
  private let originalFirst: Int64

  init(of log: ChainLog) throws {
    for segment in try LogSegment.all(ofLogAt: ChainLog.path, log.disk).segments {
      var lines: [Line] = []
      let reader = try LogReader(path: segment.path, storage: log.disk)
      while let line = try reader.next() { lines.append(Line(line)) }
      files.append(lines)
    }
    original = Dictionary(uniqueKeysWithValues: files.joined().map { ($0.seq, $0.bytes) })
    originalFirst = files[0][0].seq
  }

  mutating func apply(_ edit: Edit, _ random: inout SplitMix64) {
    let file = Int.random(in: files.indices, using: &random)
    // The header is the first line of the file, by its name as well.
    let index = Int.random(in: 1..<max(2, files[file].count), using: &random)
    guard index < files[file].count else { return }
    let place = files[file][index].seq
    switch edit {
    case .byte:
      var bytes = files[file][index].bytes
      let offset = Int.random(in: 0..<bytes.count - 1, using: &random)
      bytes[offset] ^= UInt8(1 << Int.random(in: 0..<5, using: &random))
      raw[place] = bytes
    case .bareRemoval: raw[place] = []
    case .payload, .rehashedPayload, .rehashedWithoutSignatures, .rehashedWithOldSignature,
      .rehashedWithForgedSignature:
      changeDigit(file, index, &random)
    case .time: files[file][index].at += 1
    case .removal, .rehashedRemoval: files[file].remove(at: index)
    case .insertion, .rehashedInsertion:
      var copy = files[file][Int.random(in: 0..<files[file].count, using: &random)]
      if copy.kind != "note" { (copy.kind, copy.payload) = ("note", Array(#""number":1"#.utf8)) }
      files[file].insert(copy, at: index)
    case .swap, .rehashedSwap:
      guard index + 1 < files[file].count else { return }
      files[file].swapAt(index, index + 1)
    case .noHashes: stripHashes(from: place)
    case .segmentRemoval:
      guard files.count > 2 else { return }
      files.remove(at: min(max(1, file), files.count - 2))
    case .oldestRemoval:
      guard files.count > 1 else { return }
      files.removeFirst(max(1, min(file, files.count - 1)))
    case .end:
      files[file].removeSubrange(index...)
      files.removeSubrange((file + 1)...)
    }
    switch edit {
    case .removal, .insertion, .swap, .rehashedRemoval, .rehashedInsertion, .rehashedSwap: renumber()
    default: break
    }
    let earlier = signatures.first
    if edit.isRehashed { rehash() }
    switch edit {
    case .rehashedWithoutSignatures: changeSignatures(from: place) { _ in nil }
    case .rehashedWithOldSignature:
      changeSignatures(from: place) { signature in
        var signature = signature
        if let earlier { (signature.seq, signature.bytes) = (earlier.seq, earlier.bytes) }
        return signature
      }
    case .rehashedWithForgedSignature:
      changeSignatures(from: place) { signature in
        var signature = signature
        let bytes = Array("another key \(signature.seq)".utf8).withUnsafeBytes { SHA256.hex($0) }
        signature.bytes = Array(bytes.utf8)
        return signature
      }
    default: break
    }
    if edit == .rehashedWithoutSignatures || edit == .rehashedWithOldSignature || edit == .rehashedWithForgedSignature {
      rehash()
    }
    firstChange = change()
  }

  private func change() -> Int64? {
    if let first = files.first?.first?.seq, first > originalFirst { return originalFirst }
    var last: Int64 = -1
    for line in files.joined() {
      if last >= 0, line.seq > last + 1 { return last + 1 }
      if (raw[line.seq] ?? line.bytes) != original[line.seq] { return line.seq }
      last = line.seq
    }
    let end = original.keys.max() ?? 0
    return last < end ? last + 1 : nil
  }

  // MARK: Edits

  /// Changes a digit or a letter of the payload.
  private mutating func changeDigit(_ file: Int, _ index: Int, _ random: inout SplitMix64) {
    let places = files[file][index].payload.indices.filter { (0x30...0x39).contains(files[file][index].payload[$0]) }
    guard let place = places.randomElement(using: &random) else {
      files[file][index].payload = Array(#""more":1"#.utf8)
      return
    }
    files[file][index].payload[place] = files[file][index].payload[place] == 0x31 ? 0x32 : 0x31
  }

  /// Gives all lines their numbers anew, with all that refers to them.
  private mutating func renumber() {
    var seq = files[0][0].seq
    var moved: [Int64: Int64] = [:]
    for file in files.indices {
      for index in files[file].indices {
        moved[files[file][index].seq] = moved[files[file][index].seq] ?? seq
        files[file][index].seq = seq
        seq += 1
      }
    }
    for file in files.indices {
      for index in files[file].indices {
        let line = files[file][index]
        if var mark = mark(line) {
          mark.through = moved[mark.through] ?? line.seq - 1
          if let seq = mark.signature?.seq { mark.signature?.seq = moved[seq] ?? seq }
          if let kept = mark.kept { mark.kept = moved[kept] ?? kept }
          files[file][index].payload = mark.payload
        }
      }
    }
    for file in files.indices { setHeader(file, chain: nil) }
  }

  /// Makes all hashes anew, from the first line on.
  private mutating func rehash() {
    var chain = LogChain()
    for file in files.indices {
      for index in files[file].indices {
        let line = files[file][index]
        if index == 0 {
          setHeader(file, chain: file == 0 ? nil : chain.value)
          chain = LogChain()
        } else if var mark = mark(line) {
          mark.chain = chain.value
          mark.sums = chain.sums
          files[file][index].payload = mark.payload
          chain = LogChain()
        }
        let bytes = files[file][index].bytes
        bytes.withUnsafeBytes {
          chain.add($0, crc: LogLine.computedCRC(UnsafeRawBufferPointer(rebasing: $0.dropLast())))
        }
      }
    }
  }

  /// Lets a header state the end of the segment before.
  private mutating func setHeader(_ file: Int, chain: String?) {
    guard
      var header = files[file][0].payload.withUnsafeBytes({ try? LogSegmentHeader(payload: $0, hasCRC: true) })
    else { return }
    header.firstSeq = files[file][0].seq
    if file > 0, let last = files[file - 1].last {
      let crc = last.bytes.withUnsafeBytes { LogLine.computedCRC(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
      header.previous = LogSegmentHeader.Previous(
        seq: last.seq, crc: crc, syncedSeq: last.seq, chain: chain ?? header.previous?.chain)
    }
    files[file][0].payload = header.payload
  }

  private mutating func stripHashes(from seq: Int64) {
    for file in files.indices {
      for index in files[file].indices where files[file][index].seq >= seq {
        if var mark = mark(files[file][index]) {
          mark.chain = nil
          mark.sums = nil
          mark.signature = nil
          files[file][index].payload = mark.payload
        }
      }
    }
  }

  private var signatures: [SyncMark.Signature] { files.joined().compactMap { mark($0)?.signature } }

  private mutating func changeSignatures(from seq: Int64, _ change: (SyncMark.Signature) -> SyncMark.Signature?) {
    for file in files.indices {
      for index in files[file].indices where files[file][index].seq >= seq {
        if var mark = mark(files[file][index]), let signature = mark.signature {
          mark.signature = change(signature)
          files[file][index].payload = mark.payload
        }
      }
    }
  }

  private func mark(_ line: Line) -> SyncMark? {
    line.kind == "log.synced" ? line.payload.withUnsafeBytes { SyncMark(payload: $0) } : nil
  }

  // MARK: Writing

  /// The log on a disk of its own.
  var disk: MemoryDisk {
    let disk = MemoryDisk()
    do throws(StorageError) { try disk.makeDirectory(ChainLog.path) } catch {}
    for lines in files {
      guard let first = lines.first else { continue }
      disk.put(
        lines.flatMap { raw[$0.seq] ?? $0.bytes }, "\(ChainLog.path)/\(LogFileName.plain(first: first.seq))")
    }
    return disk
  }
}
