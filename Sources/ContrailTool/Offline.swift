#if !Online
  import Foundation

  /// The command as built without the trait `Online`. It prints an error and exits.
  @main
  struct OfflineProgram {
    static func main() {
      FileHandle.standardError.write(
        Data("contrail was built without the trait Online. Build it with the default traits.\n".utf8))
      exit(EXIT_FAILURE)
    }
  }
#endif
