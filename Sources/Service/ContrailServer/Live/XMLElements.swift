package import ContrailWorld
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML into elements, with limits for their number and depth. External entities are never loaded.
enum XMLElements {
  private static let maximumElements = 2_000_000
  private static let maximumDepth = 32

  /// Returns the root as an object with `name`, `attributes`, `children` and `text`, or `nil` if the bytes aren't XML.
  static func root(_ bytes: [UInt8]) -> LooseJSON? {
    let parser = XMLParser(data: Data(bytes))
    let builder = Builder()
    parser.delegate = builder
    parser.shouldResolveExternalEntities = false
    guard parser.parse(), !builder.isTooLarge else { return nil }
    return builder.root
  }

  private final class Builder: NSObject, XMLParserDelegate {
    private struct Element {
      let name: String
      let attributes: [String: LooseJSON]
      var children: [LooseJSON] = []
      var text = ""

      var value: LooseJSON {
        .object([
          "name": .text(name), "attributes": .object(attributes), "children": .list(children), "text": .text(text),
        ])
      }
    }

    private var open: [Element] = []
    private var count = 0
    private(set) var root: LooseJSON?
    private(set) var isTooLarge = false

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      count += 1
      guard count <= maximumElements, open.count < maximumDepth else {
        isTooLarge = true
        return parser.abortParsing()
      }
      open.append(Element(name: name, attributes: attributes.mapValues { .text($0) }))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += text
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      guard let element = open.popLast() else { return }
      if open.isEmpty { root = element.value } else { open[open.count - 1].children.append(element.value) }
    }
  }
}

extension FeedReader {
  /// The reader of all forms, with the system's parser of XML.
  package static let complete = FeedReader { XMLElements.root($0) }
}
