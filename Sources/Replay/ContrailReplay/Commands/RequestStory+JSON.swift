import ContrailWire

extension RequestStory {
  /// The explanation as one object on a line.
  package var json: String {
    var json = JSONWriter()
    json.object { json in
      json.member("title", title)
      json.key("rows")
      json.array { json in
        for row in rows {
          json.object { json in
            json.member("name", row.name)
            json.member("text", row.text)
            if let seq = row.seq { json.member("seq", seq) }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
