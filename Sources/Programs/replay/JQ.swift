#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs the program `jq`, without a shell.
enum JQ {
  /// Returns whether an expression gives neither false nor null for the array of all lines.
  static func holds(_ expression: String, for log: [UInt8]) -> Bool {
    // A file without a name, so that nothing is left behind.
    guard let file = tmpfile() else { return false }
    defer { fclose(file) }
    guard fwrite(log, 1, log.count, file) == log.count, fflush(file) == 0 else { return false }
    let descriptor = fileno(file)
    lseek(descriptor, 0, SEEK_SET)
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let words: [String] = ["jq", "-e", "-s", expression]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawnp(&process, "jq", &actions, nil, arguments, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { if errno != EINTR { return false } }
    return status == 0
  }
}
