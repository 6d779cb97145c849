package import ContrailLog
import ContrailWire

extension LinkModel {
  /// The models that come with the program.
  package static let all: [LinkModel] = [
    PackageResources.certus_json, PackageResources.geo_json, PackageResources.geo_bad_json, PackageResources.leo_json,
    PackageResources.air_to_ground_json,
  ].compactMap { try? LinkModel(json: $0, name: "") }

  /// Returns the model with a name; nil if there is none.
  package static func named(_ name: String) -> LinkModel? { all.first { $0.name == name } }

  /// Creates a model from the JSON of a file.
  ///
  /// - Parameters:
  ///   - bytes: The JSON: `name`, `title`, `source`, `roundTripMS` (lowest and highest), `upBitsPerSecond`,
  ///     `downBitsPerSecond`, and optionally `lossPerMille` and `outages` (`everyMS`, and `lengthMS` as a range).
  ///   - name: The name for messages, such as the path.
  /// - Throws: ``InputError`` if a member is missing or out of range.
  package init(json bytes: [UInt8], name file: String) throws(InputError) {
    var model = LinkModel(name: file, roundTripMS: 0...0, upBitsPerSecond: 0, downBitsPerSecond: 0)
    var hasRoundTrip = false
    let rates: ClosedRange<Int64> = 1...1_000_000_000_000
    let fault: JSONError? = bytes.withUnsafeBytes { bytes in
      do throws(JSONError) {
        var json = JSONReader(bytes)
        try json.object { (key, json) throws(JSONError) in
          switch key {
          case "name": model.name = try json.string()
          case "title": model.title = try json.string()
          case "source": model.source = try json.string()
          case "roundTripMS":
            model.roundTripMS = try json.range()
            hasRoundTrip = true
          case "upBitsPerSecond": model.upBitsPerSecond = try json.integer(in: rates)
          case "downBitsPerSecond": model.downBitsPerSecond = try json.integer(in: rates)
          case "lossPerMille": model.lossPerMille = try json.integer(in: 0...999)
          case "outages":
            var (everyMS, lengthMS): (Int64?, ClosedRange<Int64>?)
            try json.object { (key, json) throws(JSONError) in
              switch key {
              case "everyMS": everyMS = try json.integer(in: 1000...86_400_000)
              case "lengthMS": lengthMS = try json.range()
              default: throw json.fault("'outages' has the members 'everyMS' and 'lengthMS'")
              }
            }
            guard let everyMS, let lengthMS, everyMS > lengthMS.upperBound else {
              throw json.fault("'outages' must have 'everyMS' and a shorter 'lengthMS'")
            }
            model.outages = Outages(everyMS: everyMS, lengthMS: lengthMS)
          default: throw json.fault("a member of a link model is misspelt")
          }
        }
        try json.end()
        return nil
      } catch {
        return error
      }
    }
    if let fault { throw InputError(.model, at: file, "\(fault.reason), at byte \(fault.offset)") }
    guard hasRoundTrip, model.upBitsPerSecond > 0, model.downBitsPerSecond > 0 else {
      throw InputError(
        .model, at: file, "a link model must have 'roundTripMS', 'upBitsPerSecond' and 'downBitsPerSecond'")
    }
    guard !model.source.isEmpty else {
      throw InputError(.model, at: file, "a link model must name the 'source' of its figures")
    }
    self = model
  }
}
