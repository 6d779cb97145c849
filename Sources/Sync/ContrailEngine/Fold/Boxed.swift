/// A property that is kept behind one reference and copied on write.
///
/// For large values: copying a value that contains a box costs one reference count, and the compiler doesn't copy each field.
@propertyWrapper package struct Boxed<Value: Sendable>: Sendable {
  /// Written only while one property refers to it.
  private final class Box: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  package var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
    set { box = Box(newValue) }
  }
}
