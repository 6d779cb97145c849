import ContrailLog

extension BlobStore {
  /// Creates the store in the folder `blobs` of a log's directory, or beside a log in one file.
  init(beside path: String, _ storage: any LogStorage) {
    let isDirectory = (try? storage.kind(of: path)) == .directory
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = isDirectory ? path + "/" : slash.map { String(path[...$0]) } ?? ""
    self.init(directory: folder + "blobs", storage: storage)
  }
}
