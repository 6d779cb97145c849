#if Online
  import ContrailWire

  /// An area that somebody warned of, and when.
  struct Advisory: Hashable, Sendable {
    var area: TurbulenceArea
    /// When it was issued or received, in seconds since 1970: nobody knows of it before.
    var arrival: Int64
    /// From when on it is in force, in seconds since 1970.
    var start: Int64
    /// When it ends, in seconds since 1970.
    var end: Int64
  }
#endif
