/// The kind of records in a file. The raw value is their plural name.
package enum DayKind: String, CaseIterable, Hashable, Sendable {
  case pireps = "PIREPs"
  case states = "aircraft"
  case sigmets = "advisories"
}
