package import ContrailLog
import ContrailWire

/// The parts of a recording that the reader skipped. The rest of the recording is valid.
package struct SetAside: Hashable, Sendable {
  /// The truncated last line, if any.
  package var tornTail: RecordingReader.TornTail?
  /// The lines lost by failed syncs and replaced by snapshots.
  package var losses: [LogReader.Loss]

  package init(tornTail: RecordingReader.TornTail? = nil, losses: [LogReader.Loss] = []) {
    self.tornTail = tornTail
    self.losses = losses
  }

  /// Whether every line was read.
  package var isEmpty: Bool { tornTail == nil && losses.isEmpty }

  /// The skipped parts as text, ending with a line feed. Empty if every line was read.
  package var text: String { blocks.joined().map { $0 + "\n" }.joined() }

  /// The lines of text for each skipped part.
  var blocks: [[String]] {
    var blocks: [[String]] = []
    if let tail = tornTail {
      blocks.append([
        "\(tail.file):\(tail.line)  skipped: the last line is truncated (\(Words.count(tail.byteCount, "byte")))",
        "  replayed  up to seq \(tail.lastSeq)",
      ])
    }
    for loss in losses {
      blocks.append([
        "\(loss.file)\(loss.line.map { ":\($0)" } ?? "")  lost: seq \(loss.seqs.words), by a failed sync",
        "  replayed  from the next snapshot",
      ])
    }
    return blocks
  }

  /// Writes the members `setAside` and `lost` for the parts that were skipped.
  func writeMembers(to json: inout JSONWriter) {
    if let tail = tornTail {
      json.key("setAside")
      json.object { json in
        json.member("file", tail.file)
        json.member("line", tail.line)
        json.member("bytes", tail.byteCount)
        json.member("lastSeq", tail.lastSeq)
      }
    }
    guard !losses.isEmpty else { return }
    json.key("lost")
    json.array { json in
      for loss in losses {
        json.object { json in
          json.member("file", loss.file)
          json.member("line", loss.line)
          json.member("firstSeq", loss.seqs.lowerBound)
          json.member("lastSeq", loss.seqs.upperBound)
        }
      }
    }
  }
}
