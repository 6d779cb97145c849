import ContrailLog

/// Returns the completions of the name of a model, or of the path of its file.
///
/// - Parameters:
///   - prefix: The text so far. The files of the folder that it names are completions, too.
///   - names: The names of all models.
package func completions(of prefix: String, and names: [String]) -> [String] {
  let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
  let files = (try? POSIXStorage().names(in: folder.isEmpty ? "." : folder)) ?? []
  return names + files.map { folder + $0 }
}
