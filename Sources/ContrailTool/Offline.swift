#if !Online
  /// The program without what it is for.
  @main
  struct OfflineProgram {
    static func main() {
      print("contrail was built without the trait Online: build with the default traits.")
    }
  }
#endif
