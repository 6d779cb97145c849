package import ContrailLog

extension SharedLog {
  /// Copies the log into a new directory, which all commands for the logs of services read.
  ///
  /// If old lines were removed, the copy begins with the newest snapshot.
  ///
  /// - Returns: The number of lines.
  /// - Throws: ``ServiceLogError`` if the directory isn't empty, or one of the logs fails.
  package func copy(
    to path: String, storage: any LogStorage = POSIXStorage()
  ) async throws(ServiceLogError) -> Int {
    if let names = try? storage.names(in: path), let name = names.min() {
      throw .otherDirectory(path: path, name: name)
    }
    let start = try await self.start()
    let first = try await next(after: 0, waits: false)
    let isWhole = start.position == 0 || first.rows.first?.position == 1
    let (log, _) = try ServiceLog.open(
      path: path, at: start.beginning * 1000, reader: FeedReader(), storage: storage, segmentBytes: .max)
    var position = isWhole ? 0 : start.position
    var (count, last) = (0, start.beginning * 1000)
    do throws(LogError) {
      if !isWhole { try log.roll(at: last, start.snapshot) }
    } catch {
      throw .log(error)
    }
    while true {
      let page = try await next(after: position, waits: false)
      do throws(LogError) {
        for row in page.rows {
          try log.append(row.entry, at: row.at) { [] }
          (position, last) = (row.position, row.at)
          count += 1
        }
        if page.time != nil {
          try log.sync(at: last) { [] }
          return count
        }
      } catch {
        throw .log(error)
      }
    }
  }
}
