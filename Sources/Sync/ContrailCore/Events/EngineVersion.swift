/// The version of this engine, which `session.started` lines contain, and what the programs, the README and the
/// service's interface say.
package enum EngineVersion {
  package static let current = "1.0.0"
}
