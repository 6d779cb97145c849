import ContrailAirportData
import ContrailGeodesy
import ContrailWire

/// A JSON value of a file with its location.
struct DayDocument {
  /// The location, such as `line 3`, or an empty string if the file is one document.
  let place: String
  /// The value, or `nil` if the line isn't JSON.
  let value: LooseJSON?

  /// Returns the documents of a file: one, or one per line.
  ///
  /// - Throws: ``DayError/notJSON(file:line:column:reason:)`` if the file is neither. Single invalid lines are
  ///   tolerated.
  static func documents(of bytes: [UInt8], file: String) throws(DayError) -> [DayDocument] {
    let fault: JSONError
    do throws(JSONError) {
      return [DayDocument(place: "", value: try parsed(bytes[...]))]
    } catch {
      fault = error
    }
    var documents: [DayDocument] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
      let value = try? parsed(line)
      documents.append(DayDocument(place: "line \(index + 1)", value: value.flatMap { $0.isObject ? $0 : nil }))
    }
    // In a damaged multi-line document, hardly any line is an object.
    let good = documents.count { $0.value != nil }
    guard good > documents.count / 2 else {
      let before = bytes[..<min(fault.offset, bytes.count)]
      let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      throw .notJSON(
        file: file, line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - start + 1,
        reason: fault.reason)
    }
    return documents
  }

  private static func parsed(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> LooseJSON {
    try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in try LooseJSON(UnsafeRawBufferPointer(bytes)) }
  }

  /// Returns the location of a record, counted from 1.
  func place(ofRecord index: Int) -> String {
    place.isEmpty ? "record \(index + 1)" : "\(place), record \(index + 1)"
  }
}

/// A record of a document, such as a PIREP.
struct DayRecord {
  let value: LooseJSON
  /// Its members, which GeoJSON calls properties.
  let fields: LooseJSON
  /// The text of the field that makes it a record of its kind.
  let mark: String
  let place: String
  /// The time of its document, in seconds since 1970; nil if it has none.
  let documentTime: Int64?
}

extension [DayDocument] {
  /// Counts the records, and calls `read` with those of a kind.
  ///
  /// - Parameters:
  ///   - records: Returns the collection in a document, and its records; nil if it isn't of the kind.
  ///   - mark: The name of the field that each record of the kind has.
  ///   - time: Returns the time of a document, or of the collection in it.
  func forEachRecord(
    _ records: (LooseJSON) -> (collection: LooseJSON, records: [LooseJSON]?), with mark: String,
    at time: (_ document: LooseJSON, _ collection: LooseJSON) -> Int64?, _ file: inout DayReport.File,
    _ form: inout DayForm, _ read: (DayRecord, inout DayReport.File) -> Void
  ) {
    for document in self {
      let value = document.value ?? .null
      let (collection, found) = records(value)
      guard let found else {
        file.records += 1
        file.note(document.value == nil ? .notJSON : .notARecord, at: document.place)
        form.miss(collection, at: document.place)
        continue
      }
      if found.isEmpty { form.recognise() }
      let documentTime = time(value, collection)
      for (index, record) in found.enumerated() {
        file.records += 1
        let place = document.place(ofRecord: index)
        let fields = record["properties"].isObject ? record["properties"] : record
        guard let text = fields[mark].text else {
          file.note(.notARecord, at: place)
          form.miss(fields, at: place)
          continue
        }
        form.recognise()
        read(DayRecord(value: record, fields: fields, mark: text, place: place, documentTime: documentTime), &file)
      }
    }
  }
}

extension LooseJSON {
  /// A description of the value for error messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .flag: "true or false"
    case .number: "a number"
    case .text: "text"
    case .list(let elements): elements.isEmpty ? "an empty list" : "a list that begins with \(elements[0].kind)"
    case .object(let members):
      members.isEmpty
        ? "an empty object" : "an object with \(members.keys.sorted().prefix(6).joined(separator: ", "))"
    }
  }
}

/// Checks whether a file is of the expected kind. One matching record is sufficient, so single invalid lines are
/// tolerated.
struct DayForm {
  let path: String
  /// A description of the expected documents.
  let expected: String
  private var isRecognised = false
  private var mismatch: DayError?

  init(path: String, expected: String) {
    self.path = path
    self.expected = expected
  }

  /// Records a matching document.
  mutating func recognise() { isRecognised = true }

  /// Records a document that doesn't match.
  mutating func miss(_ found: LooseJSON, at place: String) {
    guard mismatch == nil else { return }
    mismatch = .notWhatItShouldBe(
      file: path, place: place.isEmpty ? "line 1" : place, expected: expected, found: found.kind)
  }

  /// - Throws: The error for the first mismatch, if no document matched.
  func check() throws(DayError) {
    if !isRecognised, let mismatch { throw mismatch }
  }
}

/// Reads positions from numbers or strings.
enum DayPosition {
  /// Returns a position in degrees. Longitudes beyond ±180° are normalised.
  static func read(latitude: LooseJSON, longitude: LooseJSON) -> Result<FixedCoordinate, DayPositionError> {
    guard let latitude = latitude.scaled(by: 7), let longitude = longitude.scaled(by: 7) else {
      return .failure(DayPositionError(oddity: .withoutPosition))
    }
    let degree = FixedCoordinate.degree
    guard abs(latitude) <= 90 * degree, abs(longitude) <= 360 * degree else {
      return .failure(DayPositionError(oddity: .impossiblePosition))
    }
    let wrapped =
      abs(longitude) <= 180 * degree ? longitude : longitude - (longitude > 0 ? 360 * degree : -360 * degree)
    return .success(FixedCoordinate(latitudeE7: latitude, longitudeE7: wrapped))
  }
}

/// The error for an invalid position.
struct DayPositionError: Error {
  let oddity: DayOddity
}

/// Times in the formats of the files.
enum DayTime {
  /// Returns seconds since 1970, or `nil` if the value isn't a time.
  ///
  /// The value may be a number of seconds, or of milliseconds if it is too large, or a string such as
  /// `2026-05-30T11:59:27.829Z`, `2025-12-19T02:30`, `2025-04-22 02:34:23`, `2026-02-07T01:02:11+00:00` or `1780142220`,
  /// also as the only element of a list. Strings without a time zone are UTC.
  static func seconds(_ value: LooseJSON) -> Int64? {
    let value = value.single
    if let number = value.integer {
      let seconds = number > Int64(UInt32.max) ? number / 1000 : number
      return (1...Int64(UInt32.max)).contains(seconds) ? seconds : nil
    }
    return value.text.flatMap { seconds($0) }
  }

  /// Returns seconds since 1970 for an ISO 8601 date and time. Fractions are truncated.
  static func seconds(_ text: String) -> Int64? {
    // Older answers of the Aviation Weather Center have a blank instead of the T.
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    guard parts.count == 2 else { return nil }
    let fields = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { number($0) }
    guard fields.count == 3, let year = fields[0], let month = fields[1], let day = fields[2],
      (1970...2105).contains(year),
      let date = CivilDay(year: Int(year), month: Int(month), day: Int(day)), let clock = clock(parts[1])
    else { return nil }
    return date.start + clock
  }

  /// Returns seconds since midnight UTC for `02:30` or `02:30:15.250`, with `Z`, an offset or neither.
  private static func clock(_ text: Substring) -> Int64? {
    var time = text
    var offset: Int64 = 0
    if time.hasSuffix("Z") {
      time.removeLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = time[time.index(after: sign)...].split(separator: ":").map { number($0) }
      guard zone.count == 2, let hours = zone[0], let minutes = zone[1], hours < 24, minutes < 60 else { return nil }
      offset = (hours * 3600 + minutes * 60) * (time[sign] == "-" ? -1 : 1)
      time = time[..<sign]
    }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0]), let minute = number(parts[1]), hour < 24,
      minute < 60
    else { return nil }
    guard parts.count == 3 else { return hour * 3600 + minute * 60 - offset }
    guard let second = number(parts[2].prefix { $0 != "." }), second <= 60 else { return nil }
    return hour * 3600 + minute * 60 + second - offset
  }

  private static func number(_ text: Substring) -> Int64? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// Returns a time such as `2026-05-30 11:59:27Z` for seconds since 1970.
  static func text(_ seconds: Int64) -> String {
    let seconds = max(seconds, 0)
    let clock = seconds % 86_400
    let day = CivilDay(containing: seconds)?.description ?? "day \(seconds / 86_400)"
    return "\(day) "
      + "\(padded(clock / 3600)):\(padded(clock / 60 % 60)):\(padded(clock % 60))Z"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
