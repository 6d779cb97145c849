#if !Online
  import Foundation

  /// The program without what it is for.
  @main
  struct OfflineProgram {
    static func main() {
      FileHandle.standardError.write(
        Data("contrail was built without the trait Online: build with the default traits.\n".utf8))
      exit(EXIT_FAILURE)
    }
  }
#endif
