import ContrailLog

/// Returns how a text may go on that is the name of a model or the path of its file.
///
/// - Parameter prefix: The text so far. Its last folder, or the current one, is listed.
package func completions(of prefix: String, and names: [String]) -> [String] {
  let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
  let files = (try? POSIXStorage().names(in: folder.isEmpty ? "." : folder)) ?? []
  return names + files.map { folder + $0 }
}
