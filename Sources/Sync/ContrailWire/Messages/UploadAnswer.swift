/// The answer to an upload of ownship reports.
///
/// ```json
/// {"data":{"accepted":5,"quarantined":[{"report":3,"reason":"motion"}]},"meta":{},"links":{},"warnings":{}}
/// ```
package struct UploadAnswer: Hashable, Sendable {
  /// The reason why a service keeps a report from others.
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    /// The EDR is impossible, or contradicts the severity.
    case strength
    /// Many reports in a row have the same EDR.
    case stuck
    /// The aircraft can't have come from the place of the report before.
    case motion
    /// The sender sends too many reports.
    case rate
    /// Several others report smooth air there.
    case outlier
  }

  /// A report that the service stores, and keeps from others.
  package struct HeldBack: Hashable, Sendable {
    /// The index in the upload.
    package var report: Int
    /// The reason; nil for a word of a newer service that this version doesn't know.
    package var reason: Reason?

    package init(report: Int, reason: Reason?) {
      self.report = report
      self.reason = reason
    }
  }

  /// The number of reports that are recent and plausible.
  package var accepted: Int
  /// The reports that the service keeps from others, in ascending order.
  package var heldBack: [HeldBack]

  package init(accepted: Int, heldBack: [HeldBack] = []) {
    self.accepted = accepted
    self.heldBack = heldBack
  }

  /// Creates an answer from JSON.
  ///
  /// The number alone confirms the upload. A list that can't be one of this upload is ignored as a whole: with an index beyond the
  /// reports or not in ascending order, without a member, of another type, or the plain number of earlier services.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response.
  ///   - reportCount: The number of reports in the upload.
  /// - Throws: ``WireError`` if the body doesn't contain the number of accepted reports, and therefore confirms nothing.
  package init(json bytes: UnsafeRawBufferPointer, reportCount: Int) throws(WireError) {
    var accepted: Int?
    var heldBack: [HeldBack] = []
    do throws(JSONError) {
      var json = JSONReader(bytes)
      try json.data { (key, json) throws(JSONError) in
        switch key {
        case "accepted": accepted = try json.integer(in: 0...ReportsUpload.maximumCount)
        case "quarantined":
          let range = try json.skipValue()
          heldBack = (try? Self.list(json.slice(range), reportCount)) ?? []
        default: try json.skipValue()
        }
      }
      try json.end()
    } catch {
      throw WireError.json(error)
    }
    guard let accepted else { throw WireError.missing("data.accepted") }
    self.init(accepted: accepted, heldBack: heldBack)
  }

  private static func list(_ bytes: UnsafeRawBufferPointer, _ reportCount: Int) throws(JSONError) -> [HeldBack] {
    var list: [HeldBack] = []
    var json = JSONReader(bytes)
    try json.array { (json) throws(JSONError) in
      var report: Int?
      var word: String?
      try json.object { (key, json) throws(JSONError) in
        switch key {
        case "report": report = try json.integer(in: 0...ReportsUpload.maximumCount)
        case "reason": word = try json.string()
        default: try json.skipValue()
        }
      }
      guard let report, let word, report < reportCount, report > list.last?.report ?? -1 else {
        throw json.fault("not the next report of the upload")
      }
      list.append(HeldBack(report: report, reason: Reason(rawValue: word)))
    }
    return list
  }

  /// The answer as JSON.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("data")
      json.object { json in
        json.member("accepted", accepted)
        guard !heldBack.isEmpty else { return }
        json.key("quarantined")
        json.array { json in
          for report in heldBack {
            json.object { json in
              json.member("report", report.report)
              json.member("reason", report.reason?.rawValue ?? Self.otherReason)
            }
          }
        }
      }
      for key in ["meta", "links", "warnings"] {
        json.key(named: key)
        json.object { _ in }
      }
    }
    return json.bytes
  }

  /// The word for a reason that this version doesn't know.
  private static let otherReason = "other"
}

// MARK: - Words

extension UploadAnswer {
  /// The answer in words, such as `2 accepted, 3 held back (2 motion, stuck)`.
  package var text: String {
    heldBack.isEmpty ? "\(accepted) accepted" : "\(accepted) accepted, \(heldBack.count) held back (\(reasons))"
  }

  /// The reasons in words, such as `2 motion, stuck`; empty if no report is held back.
  package var reasons: String {
    var words: [String] = []
    func add(_ word: String, _ count: Int) {
      if count > 0 { words.append(count == 1 ? word : "\(count) \(word)") }
    }
    for reason in Reason.allCases { add(reason.rawValue, heldBack.count { $0.reason == reason }) }
    add(Self.otherReason, heldBack.count { $0.reason == nil })
    return words.joined(separator: ", ")
  }
}
