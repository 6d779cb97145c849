import ContrailCore
import ContrailLog
import ContrailQuery
import ContrailReplay
import ContrailWire

// The functions that the page calls, compiled by `Scripts/wasm` only. One instance of the module shows one recording.
//
// Nothing here decides anything: it hands over what `Playback` and the geometry return.

/// What one instance of the module holds besides its buffers.
struct Instance {
  var files: [String: [UInt8]] = [:]
  var playback: Playback?
  var reports = ReportColumns()
}

nonisolated(unsafe) var instance = Instance()

// MARK: - Files

/// Adds a file whose path is in the scratch buffer. Returns where its bytes must be written.
@_expose(wasm, "addFile") @_cdecl("contrail_wasm_add_file")
public func addFile(_ pathCount: UInt32, _ byteCount: UInt32) -> UInt32 {
  let path = scratchText(pathCount)
  // The page fills it before anything reads it: zeros would be written byte by byte.
  instance.files[path] = [UInt8](unsafeUninitializedCapacity: Int(byteCount)) { $1 = Int(byteCount) }
  return address(instance.files[path] ?? [])
}

// MARK: - The fold

/// Opens the recording at the path in the scratch buffer.
@_expose(wasm, "open") @_cdecl("contrail_wasm_open")
public func open(_ pathCount: UInt32) {
  // What was open is gone first, so that its memory is used again.
  instance.playback = nil
  buffers.profileMemory = ProfileMemory()
  instance.playback = Playback(path: scratchText(pathCount), storage: MemoryStorage(instance.files))
  instance.files = [:]
}

/// Folds the next lines. Returns 1 if more follow.
@_expose(wasm, "step") @_cdecl("contrail_wasm_step")
public func step(_ byteCount: UInt32) -> UInt32 {
  instance.playback?.step(byteCount: Int64(byteCount)) == true ? 1 : 0
}

/// Returns the number of lines that were read.
@_expose(wasm, "lineCount") @_cdecl("contrail_wasm_line_count")
public func lineCount() -> UInt32 { UInt32(instance.playback?.columns.count ?? 0) }

/// Returns the number of bytes that were read.
@_expose(wasm, "byteCount") @_cdecl("contrail_wasm_byte_count")
public func byteCount() -> Double { Double(instance.playback?.byteCount ?? 0) }

/// Returns a column of the lines, by its place in `LineColumns`.
@_expose(wasm, "column") @_cdecl("contrail_wasm_column")
public func column(_ index: UInt32) -> UInt32 {
  guard let columns = instance.playback?.columns else { return 0 }
  return switch index {
  case 0: address(columns.seq)
  case 1: address(columns.at)
  case 2: address(columns.serverAt)
  case 3: address(columns.kind)
  case 4: address(columns.scope)
  case 5: address(columns.rule)
  case 6: address(columns.request)
  case 7: address(columns.status)
  case 8: address(columns.bytesDown)
  case 9: address(columns.bytesUp)
  case 10: address(columns.cause)
  case 11: address(columns.started)
  case 12: address(columns.flags)
  case 13: address(columns.file)
  case 14: address(columns.offset)
  case 15: address(columns.length)
  default: 0
  }
}

/// Returns the number of changes of a scope.
@_expose(wasm, "historyCount") @_cdecl("contrail_wasm_history_count")
public func historyCount(_ scope: UInt32) -> UInt32 {
  guard let histories = instance.playback?.histories, scope < histories.count else { return 0 }
  return UInt32(histories[Int(scope)].line.count)
}

/// Returns a column of the changes of a scope, by its place in `ScopeHistory`.
@_expose(wasm, "history") @_cdecl("contrail_wasm_history")
public func history(_ scope: UInt32, _ index: UInt32) -> UInt32 {
  guard let histories = instance.playback?.histories, scope < histories.count else { return 0 }
  let history = histories[Int(scope)]
  return switch index {
  case 0: address(history.line)
  case 1: address(history.watermark)
  case 2: address(history.records)
  case 3: address(history.inFlight)
  case 4: address(history.failures)
  default: 0
  }
}

/// Puts out the files, the scopes and the verdict as JSON.
@_expose(wasm, "summary") @_cdecl("contrail_wasm_summary")
public func summary() -> UInt32 {
  put { json in
    json.object { json in
      guard let playback = instance.playback else { return }
      json.key("files")
      json.array { json in for file in playback.files { json.value(file) } }
      json.key("scopes")
      json.array { json in for scope in playback.scopes { json.value(scope.name) } }
      json.key("verdict")
      playback.writeVerdict(to: &json)
    }
  }
}

/// Puts out the kinds of lines and the rules as JSON.
@_expose(wasm, "names") @_cdecl("contrail_wasm_names")
public func names() -> UInt32 {
  put { json in
    json.object { json in
      json.key("kinds")
      json.array { json in for kind in Kind.allCases { json.value(kind.rawValue) } }
      json.key("roles")
      json.array { json in
        for kind in Kind.allCases {
          switch kind.role {
          case .input: json.value("input")
          case .decision: json.value("decision")
          case .mark: json.value("mark")
          }
        }
      }
      json.key("rules")
      json.array { json in
        for rule in Rule.allCases {
          json.object { json in
            json.member("id", rule.rawValue)
            json.member("name", rule.name)
            json.member("text", rule.words)
          }
        }
      }
    }
  }
}

// MARK: - One line

/// Puts out what holds after a line, as JSON; the reports are in ``reportColumn(_:)``.
@_expose(wasm, "view") @_cdecl("contrail_wasm_view")
public func view(_ line: Int32, _ at: Double) -> UInt32 {
  guard let playback = instance.playback else { return 0 }
  let view = playback.view(after: Int(line), at: Int64(exactly: at.rounded()))
  instance.reports = view.reports
  return put(view.json)
}

/// Returns the number of reports that are visible after the last line shown.
@_expose(wasm, "reportCount") @_cdecl("contrail_wasm_report_count")
public func reportCount() -> UInt32 { UInt32(instance.reports.count) }

/// Returns a column of the reports, by its place in `ReportColumns`.
@_expose(wasm, "reportColumn") @_cdecl("contrail_wasm_report_column")
public func reportColumn(_ index: UInt32) -> UInt32 { address(ofColumn: index, of: instance.reports) }

/// Puts out the polygons or the weather of a scope after a line.
@_expose(wasm, "document") @_cdecl("contrail_wasm_document")
public func document(_ scope: UInt32, _ line: Int32) -> UInt32 {
  put(instance.playback?.document(of: Int(scope), after: Int(line)) ?? [])
}

/// Puts out the bytes of a line, at most `limit`.
@_expose(wasm, "text") @_cdecl("contrail_wasm_text")
public func lineText(_ line: Int32, _ limit: UInt32) -> UInt32 {
  put(instance.playback?.bytes(of: Int(line), limit: Int(clamping: limit)) ?? [])
}

/// Puts out a description of a line.
@_expose(wasm, "words") @_cdecl("contrail_wasm_words")
public func words(_ line: Int32) -> UInt32 {
  put(Array((instance.playback?.words(of: Int(line)) ?? "").utf8))
}

// MARK: - Why

/// Puts out why a request was sent, as JSON. Returns 0 if there is no such request.
@_expose(wasm, "whyRequest") @_cdecl("contrail_wasm_why_request")
public func whyRequest(_ request: Double) -> UInt32 {
  guard let playback = instance.playback, let number = Int64(exactly: request),
    let story = playback.story(ofRequest: number)
  else { return 0 }
  return put { story.write(to: &$0, playback) }
}

/// Puts out which lines led to a line, as JSON.
@_expose(wasm, "whyLine") @_cdecl("contrail_wasm_why_line")
public func whyLine(_ line: Int32) -> UInt32 {
  guard let playback = instance.playback else { return 0 }
  return put { playback.story(ofLine: Int(line)).write(to: &$0, playback) }
}

/// Puts out why reports of a cell are visible after a line, or why none is, as JSON.
@_expose(wasm, "whyCell") @_cdecl("contrail_wasm_why_cell")
public func whyCell(_ lo: UInt32, _ hi: UInt32, _ line: Int32) -> UInt32 {
  guard let playback = instance.playback else { return 0 }
  return put { playback.writeStory(of: UInt64(hi) << 32 | UInt64(lo), after: Int(line), to: &$0) }
}
