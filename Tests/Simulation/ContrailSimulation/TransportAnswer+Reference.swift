import ContrailCompression
import ContrailHTTP
import ContrailWire

extension TransportAnswer {
  /// The smallest JSON that the reference server compresses, in bytes.
  private static let compressionThreshold = 256

  /// The answer with the encoding and the header fields of the reference server.
  var likeReference: TransportAnswer {
    var answer = self
    let area = header(WireHeader.area).map { [(name: WireHeader.area, value: $0)] } ?? []
    let isByHandle = [ObservationsAnswer.compactMark, CompactBundle.mark].contains(body.first) && area.isEmpty
    let isCompact = isByHandle || [ObservationsAnswer.compactMark, PolygonsAnswer.compactMark].contains(body.first)
    if isByHandle {
      // An answer to a request by handle has the smallest head.
      answer.headers = [("Content-Length", "\(body.count)")]
      return answer
    }
    var encoding: [(name: String, value: String)] = []
    if !isCompact, body.count >= Self.compressionThreshold, let packed = Gzip.packed(body) {
      answer.body = packed
      encoding = [("Content-Encoding", "gzip")]
    }
    answer.headers =
      [
        ("Content-Type", isCompact ? ObservationsAnswer.compactType : "application/json"),
        (WireHeader.serverTime, header(WireHeader.serverTime) ?? ""),
        ("Vary", "Accept-Encoding"), ("Content-Length", "\(answer.body.count)"),
        ("Date", "Sun, 22 Nov 2026 19:03:07 GMT"),
      ] + encoding + area
    return answer
  }
}
