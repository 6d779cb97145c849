import Foundation

extension Collection<UInt8> {
  /// The bytes as a database blob.
  var blob: Data { Data(self) }
}

extension String {
  /// The UTF-8 bytes as a database blob.
  var blob: Data { Data(utf8) }

  init(blob: Data) { self.init(decoding: blob, as: UTF8.self) }
}
