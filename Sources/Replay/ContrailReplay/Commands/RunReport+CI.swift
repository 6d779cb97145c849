import ContrailCore
import ContrailLog

extension RunReport {
  /// The report as JUnit XML with one test case per recording. It contains no times, so equal runs produce equal
  /// reports.
  var junit: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites name="replay" tests="\#(results.count)" failures="\#(divergedCount)" errors="\#(unreadableCount)">"#,
      #"  <testsuite name="Recordings" tests="\#(results.count)" failures="\#(divergedCount)" errors="\#(unreadableCount)">"#,
    ]
    for result in results {
      let open =
        #"    <testcase classname="Recordings" name="\#(Escape.xml(name(of: result)))" file="\#(Escape.xml(result.path))""#
      switch result.outcome {
      case .same where result.setAside.isEmpty: lines.append(open + "/>")
      case .same:
        lines += [
          open + ">", "      <system-out>\(Escape.xml(result.setAside.text))</system-out>", "    </testcase>",
        ]
      case .diverged(let divergence, let consequences):
        lines += [
          open + ">",
          #"      <failure type="\#(Escape.xml(divergence.title))" message="\#(Escape.xml(divergence.headline))">"#,
          Escape.xml(divergence.details(consequences, path: result.path).joined(separator: "\n")) + "</failure>",
          "    </testcase>",
        ]
      case .unreadable(let fault):
        lines += [
          open + ">", #"      <error type="\#(Escape.xml(fault.code))" message="\#(Escape.xml(fault.headline))">"#,
          Escape.xml("\(fault.reason). \(fault.advice)") + "</error>", "    </testcase>",
        ]
      }
    }
    lines += ["  </testsuite>", "</testsuites>"]
    return lines.map { $0 + "\n" }.joined()
  }

  /// GitHub workflow commands for each divergence, error and skipped part, followed by the summary.
  var github: String {
    var lines: [String] = []
    for result in results {
      switch result.outcome {
      case .same: break
      case .diverged(let divergence, let consequences):
        let text = ([divergence.headline] + divergence.details(consequences, path: result.path)).joined(separator: "\n")
        lines.append(command("error", divergence.file, divergence.line, divergence.title, text))
      case .unreadable(let fault):
        lines.append(
          command("error", fault.file, fault.line, "unreadable: \(fault.code)", "\(fault.reason). \(fault.advice)"))
      }
      if let tail = result.setAside.tornTail {
        lines.append(
          command("warning", tail.file, tail.line, "truncated", "The last line is truncated and was skipped."))
      }
      for loss in result.setAside.losses {
        let text =
          "seq \(loss.seqs.words) was lost by a failed sync. The next snapshot replaces it."
        lines.append(command("warning", loss.file, loss.line, "lost", text))
      }
    }
    return (lines + [summary]).map { $0 + "\n" }.joined()
  }

  private func command(_ level: String, _ file: String, _ line: Int?, _ title: String, _ text: String) -> String {
    let place = line.map { ",line=\($0)" } ?? ""
    return "::\(level) file=\(Escape.property(file))\(place),title=\(Escape.property(title))::\(Escape.message(text))"
  }
}

/// Functions that escape text for report formats.
enum Escape {
  /// Escapes text or an attribute value for XML 1.0. Characters that XML doesn't allow become U+FFFD.
  static func xml(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Escapes the message of a workflow command.
  static func message(_ text: String) -> String {
    replace(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  /// Escapes a property of a workflow command.
  static func property(_ text: String) -> String {
    replace(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func replace(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += escapes[$1] ?? String($1) }
  }
}
