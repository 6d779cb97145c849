import ContrailField

extension Alternative {
  /// Creates the alternative that differs from the recorded flight by a change.
  init(_ change: (inout Alternative) -> Void) {
    self.init()
    change(&self)
  }
}
