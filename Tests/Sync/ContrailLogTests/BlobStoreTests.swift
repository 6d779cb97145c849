import ContrailTestSupport
import Testing

@testable import ContrailLog

@Suite struct BlobStoreTests {
  let disk = MemoryDisk()

  /// FIPS 180-4's examples, by way of NIST's CSRC "Examples with Intermediate Values".
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]) func publishedHashesHold(_ text: String, _ hash: String) {
    #expect(BlobStore.ID(of: Array(text.utf8)).digits == hash)
  }

  @Test func aMillionLettersHashAsPublished() {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      BlobStore.ID(of: bytes).digits == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func anySplitHashesTheSame() {
    var random = SplitMix64(seed: 6)
    for count in 0..<300 {
      let bytes = random.bytes(count)
      var hash = SHA256()
      var start = 0
      while start < count {
        let end = Int.random(in: start...count, using: &random)
        bytes.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
        start = end
      }
      #expect(hash.finishedHex() == BlobStore.ID(of: bytes).digits)
      var portable = SHA256(portable: ())
      bytes.withUnsafeBytes { portable.update($0) }
      #expect(portable.finishedHex() == BlobStore.ID(of: bytes).digits)
    }
  }

  @Test func whatIsPutIsFoundAndEqualBodiesAreOne() throws {
    let store = BlobStore(directory: "/log/blobs", storage: disk)
    let id = try store.put([1, 2, 3])
    let operations = disk.operationCount
    #expect(try store.put([1, 2, 3]) == id)
    // Nothing is written again; only its name is made sure of.
    #expect(disk.operationCount == operations + 1)
    #expect(try store.bytes(of: id) == [1, 2, 3])
    #expect(try store.bytes(of: id, count: 3) == [1, 2, 3])
    #expect(disk.names.keys.sorted() == ["/log/blobs/\(id)"])
  }

  @Test func aDamagedBlobIsRefusedAndMendedByPuttingItAgain() throws {
    let store = BlobStore(directory: "/log/blobs", storage: disk)
    let id = try store.put([1, 2, 3])
    disk.put([1, 2, 4], "/log/blobs/\(id)")
    #expect { try store.bytes(of: id) } throws: { ($0 as? LogError)?.code == .blobDamaged }
    #expect(try store.put([1, 2, 3]) == id)
    #expect(try store.bytes(of: id) == [1, 2, 3])
    #expect { try store.bytes(of: id, count: 4) } throws: { ($0 as? LogError)?.code == .blobDamaged }
    #expect { try store.bytes(of: BlobStore.ID(of: [])) } throws: { ($0 as? LogError)?.code == .blobMissing }
  }

  /// Simulated flight 38395: the sync of the directory failed, the blob was put again, and the power failed.
  @Test func aBlobThatIsThereIsPutOnlyOnceItsNameIsOnStableStorage() throws {
    for seed in UInt64(0)..<20 {
      let disk = MemoryDisk(seed: seed)
      let store = BlobStore(directory: "/log/blobs", storage: disk)
      disk.refuses = { $0 == "syncDirectory" }
      #expect(throws: LogError.self) { try store.put([1, 2, 3]) }
      #expect(throws: LogError.self) { try store.put([1, 2, 3]) }
      disk.refuses = { _ in false }
      let id = try store.put([1, 2, 3])
      disk.losePower()
      #expect(try store.bytes(of: id) == [1, 2, 3], "seed \(seed)")
    }
  }

  @Test func aNameIsSixtyFourLowercaseDigits() {
    #expect(BlobStore.ID(String(repeating: "0a", count: 32)) != nil)
    #expect(BlobStore.ID(String(repeating: "0A", count: 32)) == nil)
    #expect(BlobStore.ID(String(repeating: "0", count: 63)) == nil)
    #expect(BlobStore.ID("../" + String(repeating: "0", count: 61)) == nil)
  }

  @Test func namesAreFoundInLinesWhateverTheirKey() {
    let id = BlobStore.ID(of: [7])
    let other = BlobStore.ID(of: [8])
    let line = #"{"seq":1,"a":"\#(id)","b":["x","\#(other)"],"c":"\#(id)0","d":"\#(id.digits.uppercased())"}"#
    var found: [BlobStore.ID] = []
    Array(line.utf8).withUnsafeBytes { bytes in BlobStore.ID.forEach(in: bytes) { found.append($0) } }
    #expect(found == [id, other])
  }
}
