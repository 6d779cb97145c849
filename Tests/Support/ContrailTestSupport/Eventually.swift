/// Yields until a condition holds, at most 100,000 times, and returns whether it does.
///
/// A loop `for _ in 0..<100_000 where …` would ask all those times, also once it holds.
@discardableResult
package func eventually(
  isolation: isolated (any Actor)? = #isolation, _ holds: () async throws -> Bool
) async rethrows -> Bool {
  for _ in 0..<100_000 {
    if try await holds() { return true }
    await Task.yield()
  }
  return false
}
