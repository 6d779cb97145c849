package import ContrailLog

/// The API keys of a file: hashed, each with a name, and optionally with an expiry, a rate and a quota.
///
///     # name     SHA-256 of the key          limits
///     tablets    9f86d081884c7d65…           expires=2027-01-31 rate=20 quota=100000 uploads=5000 areas=200 holds=500 concurrent=600
///
/// The keys can be replaced while the service runs. The counts of keys that remain go on. Beside keys, the ring accepts the tokens of a
/// ``TokenVerifier``. Their names have accounts of their own.
package actor KeyRing {
  /// A key of the file.
  package struct Key: Hashable, Sendable {
    package var name: String
    /// The SHA-256 of the key as 64 lowercase hexadecimal digits.
    package var hash: String
    /// The first time in seconds since 1970 at which the key isn't accepted any more.
    package var expiresAt: Int64?
    package var rate: RequestRate?
    /// The number of requests of a day, in UTC.
    package var quotaPerDay: Int?
    /// The number of uploads of a day.
    package var uploadsPerDay: Int?
    /// The number of areas that get a handle in a day.
    package var areasPerDay: Int?
    /// The number of requests that are held at a time. Further ones are answered at once.
    package var holds: Int?
    /// The maximum number of requests at the same time, held ones included. Further ones are refused.
    package var concurrent: Int?

    /// - Parameter hash: The hash of the key; empty for a token.
    package init(name: String, hash: String = "") { (self.name, self.hash) = (name, hash) }
  }

  /// What a key uses up in a day.
  enum Allowance: Hashable, Sendable {
    case request
    case upload
    case area
  }

  /// The result of checking a key.
  enum Verdict: Hashable, Sendable {
    case accepted
    case unknown
    case expired
    /// The key may send its next request after these seconds.
    case wait(seconds: Int)
  }

  fileprivate struct Account {
    let key: Key
    let limiter: RateLimiter
    var day: Int64 = 0
    /// The uses of the day.
    var uses: [Allowance: Int] = [:]

    /// Counts a use.
    ///
    /// - Returns: The seconds until the next day if the allowance is used up, or else nil.
    mutating func use(_ allowance: Allowance, at now: Int64) -> Int? {
      let today = now / 86_400_000
      if day != today { (day, uses) = (today, [:]) }
      let limit =
        switch allowance {
        case .request: key.quotaPerDay
        case .upload: key.uploadsPerDay
        case .area: key.areasPerDay
        }
      let count = uses[allowance] ?? 0
      if let limit, count >= limit { return Int((today + 1) * 86_400 - now / 1000) }
      uses[allowance] = count + 1
      return nil
    }
  }

  /// A token that was verified.
  private struct Known {
    /// The identifier of the account.
    let id: String
    let expiresAt: Int64
  }

  /// The maximum numbers of verified tokens and of their names that are remembered.
  private static let maximumTokens = 20_000

  /// The accounts, by the hash of the key, or by the name of a token with a space before it.
  private var accounts: [String: Account] = [:]
  /// The hashes of the accepted keys that were used, so that they aren't computed for each request.
  private var hashes: [String: String] = [:]
  private var verifier: (any TokenVerifier)?
  /// The verified tokens, by their hashes.
  private var tokens: [String: Known] = [:]

  package init(_ keys: [Key], verifier: (any TokenVerifier)? = nil) {
    for key in keys { accounts[key.hash] = Account(key: key, limiter: RateLimiter(key.rate)) }
    self.verifier = verifier
  }

  /// Replaces the keys and the verifier of tokens, which then are verified again.
  package func replace(_ keys: [Key], verifier: (any TokenVerifier)? = nil) {
    (self.verifier, tokens) = (verifier, [:])
    var next = accounts.filter { $0.key.hasPrefix(" ") && verifier != nil }
    for key in keys {
      let known = accounts[key.hash]
      let limiter = known?.key.rate == key.rate ? known?.limiter : nil
      next[key.hash] = Account(
        key: key, limiter: limiter ?? RateLimiter(key.rate), day: known?.day ?? 0, uses: known?.uses ?? [:])
    }
    accounts = next
    hashes = [:]
  }

  private func hash(of key: String) -> String {
    if let known = hashes[key] { return known }
    let hash = Self.hash(key)
    if accounts[hash] != nil { hashes[key] = hash }
    return hash
  }

  /// Returns the name of a key or token; nil if it isn't accepted.
  func name(of key: String, now: Int64) -> String? { (try? id(of: key, now: now)).flatMap { accounts[$0]?.key.name } }

  /// Returns why a key or token isn't accepted; nil if it is. Of a key, the reason is always the same.
  func refusal(of key: String, now: Int64) -> Refusal? {
    do throws(Refusal) {
      _ = try id(of: key, now: now)
      return nil
    } catch {
      return error
    }
  }

  /// Why a key or token isn't accepted.
  enum Refusal: Error, Hashable {
    case unknown
    case expired
    case token(TokenRefusal)
  }

  /// Returns the identifier of the account of a key or token.
  private func id(of key: String, now: Int64) throws(Refusal) -> String {
    let hash = hash(of: key)
    if let account = accounts[hash] {
      guard !account.isExpired(at: now) else { throw .expired }
      return hash
    }
    // A token has three parts (RFC 7519, section 3).
    guard let verifier, key.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 else { throw .unknown }
    if let known = tokens[hash], known.expiresAt > now / 1000 { return known.id }
    let grant: TokenGrant
    do throws(TokenRefusal) {
      grant = try verifier.verify(key, now: now)
    } catch {
      throw .token(error)
    }
    forgetTokens(at: now)
    let id = " " + grant.key.name
    tokens[hash] = Known(id: id, expiresAt: grant.key.expiresAt ?? 0)
    let account = accounts[id]
    if account?.key != grant.key {
      let limiter = account?.key.rate == grant.key.rate ? account?.limiter : nil
      accounts[id] = Account(
        key: grant.key, limiter: limiter ?? RateLimiter(grant.key.rate), day: account?.day ?? 0,
        uses: account?.uses ?? [:])
    }
    return id
  }

  /// Forgets tokens that have expired, and names without uses of the day, if there are many.
  private func forgetTokens(at now: Int64) {
    if tokens.count >= Self.maximumTokens {
      tokens = tokens.filter { $0.value.expiresAt > now / 1000 }
      if tokens.count >= Self.maximumTokens { tokens = [:] }
    }
    guard accounts.count >= Self.maximumTokens else { return }
    let used = Set(tokens.values.map(\.id))
    accounts = accounts.filter { id, account in
      !id.hasPrefix(" ") || account.day == now / 86_400_000 || used.contains(id)
    }
  }

  /// Counts a request.
  ///
  /// - Parameter now: The time in milliseconds since 1970.
  func admit(_ key: String, now: Int64) async -> Verdict {
    let id: String
    do throws(Refusal) {
      id = try self.id(of: key, now: now)
    } catch {
      return error == .expired ? .expired : .unknown
    }
    guard let limiter = accounts[id]?.limiter else { return .unknown }
    if let seconds = accounts[id]?.use(.request, at: now) { return .wait(seconds: seconds) }
    if let seconds = await limiter.wait(for: "", now: now) { return .wait(seconds: seconds) }
    return .accepted
  }

  /// Counts a use of an accepted key.
  ///
  /// - Returns: The seconds after which the key may do so again; nil if it may now.
  func use(_ allowance: Allowance, by key: String, now: Int64) -> Int? {
    (try? id(of: key, now: now)).flatMap { accounts[$0]?.use(allowance, at: now) }
  }

  /// Returns the name of a key with one of its limits; nil without the limit.
  func caller(of key: String, with limit: @Sendable (Key) -> Int?, now: Int64) -> LimitedCaller? {
    guard let own = (try? id(of: key, now: now)).flatMap({ accounts[$0]?.key }) else { return nil }
    return limit(own).map { LimitedCaller(name: own.name, limit: $0) }
  }

  /// Returns the SHA-256 of a key as hexadecimal digits.
  package static func hash(_ key: String) -> String {
    var hash = SHA256()
    Array(key.utf8).withUnsafeBytes { hash.update($0) }
    return hash.finishedHex()
  }
}

extension KeyRing.Account {
  fileprivate func isExpired(at now: Int64) -> Bool { key.expiresAt.map { $0 <= now / 1000 } ?? false }
}

// MARK: - The file

extension KeyRing {
  /// Reads the text of a file of keys.
  ///
  /// - Throws: ``InputError`` for the first invalid line.
  package static func keys(_ text: String, path: String) throws(InputError) -> [Key] {
    var keys: [Key] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
      guard !words.isEmpty else { continue }
      func fault(_ reason: String) -> InputError { InputError(.keyFile, at: path, line: index + 1, reason) }
      guard words.count >= 2 else { throw fault("a line needs a name and a hash; 'contrail keys NAME' makes one") }
      let hash = words[1].lowercased()
      guard hash.utf8.count == 64, hash.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
        throw fault(
          "the hash of '\(words[0])' isn't a SHA-256 of 64 hexadecimal digits; a file never contains the key itself")
      }
      guard !keys.contains(where: { $0.hash == hash }) else { throw fault("the key of '\(words[0])' occurs twice") }
      var key = Key(name: words[0], hash: hash)
      for word in words.dropFirst(2) {
        let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
        switch (sides.first, sides.count == 2 ? sides[1] : "") {
        case ("expires", let text):
          guard let time = DayTime.seconds(text) ?? DayTime.seconds(text + "T00:00:00Z") else {
            throw fault("'\(word)' is invalid; use a date such as expires=2027-01-31")
          }
          key.expiresAt = time
        case ("rate", let text):
          guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw fault("'\(word)' is invalid; use requests per second from 1 to 1000000, such as rate=20")
          }
          key.rate = RequestRate(perSecond: number)
        case ("quota", let text):
          guard let number = Int(text), number > 0 else {
            throw fault("'\(word)' is invalid; use requests per day, such as quota=100000")
          }
          key.quotaPerDay = number
        case ("uploads", let text):
          guard let number = Int(text), number > 0 else {
            throw fault("'\(word)' is invalid; use uploads per day, such as uploads=5000")
          }
          key.uploadsPerDay = number
        case ("areas", let text):
          guard let number = Int(text), number > 0 else {
            throw fault("'\(word)' is invalid; use new areas per day, such as areas=200")
          }
          key.areasPerDay = number
        case ("holds", let text):
          guard let number = Int(text), number >= 0 else {
            throw fault("'\(word)' is invalid; use requests that are held at a time, such as holds=500")
          }
          key.holds = number
        case ("concurrent", let text):
          guard let number = Int(text), number > 0 else {
            throw fault("'\(word)' is invalid; use requests at a time, such as concurrent=600")
          }
          key.concurrent = number
        default: throw fault("'\(word)' is unknown; use expires, rate, quota, uploads, areas, holds or concurrent")
        }
      }
      keys.append(key)
    }
    guard !keys.isEmpty else { throw InputError(.keyFile, at: path, "the file has no keys") }
    return keys
  }
}
