#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Opens pages in the user's browser.
package enum BrowserLauncher {
  /// Opens a file or a URL. Returns whether a program was started and succeeded.
  package static func open(_ path: String) -> Bool {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    // A path isn't an option, even if it begins like one.
    let arguments = [program, path.hasPrefix("-") ? "./\(path)" : path]
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, program, nil, nil, &pointers, environ) == 0 else { return false }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { return false }
    return status == 0
  }
}
