/// What a judge has to say against a flight.
package struct Verdict: Error, Sendable, Hashable, CustomStringConvertible {
  /// Who says so.
  package enum Judge: String, CaseIterable, Sendable {
    /// Once the link holds, the client has what a full fetch would give.
    case convergence
    /// Nothing older than the history window is shown.
    case window
    /// No answer to an old query is ever visible.
    case staleness
    /// After an answer as it should be, exactly what the server says is held.
    case exactness
    /// While a client listens, urgent news is there within seconds, and other news by the interval.
    case urgency
    /// What is asked is what is wanted, once, and no full fetch is without a cause.
    case frugality
    /// Every byte in the log is accounted for by a rule.
    case accounting
    /// The log says nothing against the engine by itself, as `replay check` reads it.
    case log
    /// The log folds to the same digests: twice, in parts, and in the replay.
    case folding
    /// Every acknowledged event outlives the process, and a power loss if it was synced.
    case survival
    /// What the aircraft reported itself comes to the server, each once and in order.
    case delivery
    /// A refused write changes nothing.
    case refusal
    /// Memory and the database agree.
    case agreement
    /// The engine comes to rest.
    case rest
    /// All that the application sets reaches the log, in order, and it reads what the engine follows.
    case settings
    /// Each outage is told once, and its end once.
    case outages
    /// What is told as new is new, and what is new is told.
    case news
    /// After a release nothing goes on, nobody waits and the log is free.
    case release
    /// An answer with changes is accepted only if the client holds the records that it changes.
    case changes
    /// After any trouble with opening the log, what the application sets is followed.
    case deafness
    /// The cycle of airports that the log puts in use is in use at its time, and the database is told.
    case airports
    /// No request begins when the byte budget is used up, and nothing is dropped before its share of it.
    case budget
    /// The provider of credentials is called when a key is needed, once at a time and with growing distances, its failures are told, and
    /// no token is on the disk.
    case credentials
    /// A log that nobody changed is never refused: its hashes and signatures fit.
    case evidence
    /// The rule that a test plants to see the shrinker at work.
    case planted
  }

  package var judge: Judge
  /// What was found.
  package var finding: String
  /// The step of the script after which it was found; its count where that was after the last.
  package var step: Int
  /// When, in milliseconds since 1970 by true time.
  package var atMS: Int64

  package init(judge: Judge, finding: String, step: Int, atMS: Int64) {
    self.judge = judge
    self.finding = finding
    self.step = step
    self.atMS = atMS
  }

  package var description: String { "\(judge.rawValue): \(finding) (step \(step), \(atMS) ms)" }
}
