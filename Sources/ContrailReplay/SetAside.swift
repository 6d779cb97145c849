public import ContrailLog
import ContrailWire

/// What the reader of a recording left out, and why what stands around it is sound.
public struct SetAside: Hashable, Sendable {
  /// What was cut short at the end.
  public var tornTail: RecordingReader.TornTail?
  /// What a failed sync lost, and a snapshot stands in for.
  public var losses: [LogReader.Loss]

  public init(tornTail: RecordingReader.TornTail? = nil, losses: [LogReader.Loss] = []) {
    self.tornTail = tornTail
    self.losses = losses
  }

  /// Whether every line was read.
  public var isEmpty: Bool { tornTail == nil && losses.isEmpty }

  /// What was left out, as text, its last line ended; empty if every line was read.
  public var text: String { blocks.joined().map { $0 + "\n" }.joined() }

  /// Some lines of text for each part that was left out.
  var blocks: [[String]] {
    var blocks: [[String]] = []
    if let tail = tornTail {
      blocks.append([
        "\(tail.file):\(tail.line)  set aside: the last line was cut short (\(Words.count(tail.byteCount, "byte")))",
        "  replayed  up to seq \(tail.lastSeq)",
      ])
    }
    for loss in losses {
      blocks.append([
        "\(loss.file)\(loss.line.map { ":\($0)" } ?? "")  lost: seq \(loss.seqs.words), which a failed sync took",
        "  replayed  on from the snapshot that follows",
      ])
    }
    return blocks
  }

  /// Writes the members `setAside` and `lost`, each if there is something to say.
  func writeMembers(to json: inout JSONWriter) {
    if let tail = tornTail {
      json.key("setAside")
      json.object { json in
        json.key("file")
        json.value(tail.file)
        json.key("line")
        json.value(tail.line)
        json.key("bytes")
        json.value(tail.byteCount)
        json.key("lastSeq")
        json.value(tail.lastSeq)
      }
    }
    guard !losses.isEmpty else { return }
    json.key("lost")
    json.array { json in
      for loss in losses {
        json.object { json in
          json.key("file")
          json.value(loss.file)
          json.key("line")
          if let line = loss.line { json.value(line) } else { json.null() }
          json.key("firstSeq")
          json.value(loss.seqs.lowerBound)
          json.key("lastSeq")
          json.value(loss.seqs.upperBound)
        }
      }
    }
  }
}
