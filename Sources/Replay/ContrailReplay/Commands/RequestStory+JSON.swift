import ContrailWire

extension RequestStory {
  /// The explanation as one object on a line.
  package var json: String {
    var json = JSONWriter()
    json.object { json in
      json.key("title")
      json.value(title)
      json.key("rows")
      json.array { json in
        for row in rows {
          json.object { json in
            json.key("name")
            json.value(row.name)
            json.key("text")
            json.value(row.text)
            if let seq = row.seq {
              json.key("seq")
              json.value(seq)
            }
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
