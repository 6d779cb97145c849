import ContrailViewer
import Testing

@Suite struct ScriptBundleTests {
  private func bundle(_ files: [String: String]) throws(PageError) -> ScriptBundle {
    try ScriptBundle(entry: "main.js", files: PageFiles(files.mapValues { Array($0.utf8) }))
  }

  private func code(_ files: [String: String]) -> PageError? {
    do throws(PageError) {
      _ = try bundle(files)
      return nil
    } catch {
      return error
    }
  }

  @Test func modulesRunAfterThoseTheyImport() throws {
    let bundle = try bundle([
      "main.js":
        "import { draw } from \"./map/globe.js\";\nimport { sum as add } from \"./sum.js\";\ndraw(add(1, 2));\n",
      "map/globe.js": "import { sum } from \"../sum.js\";\nexport function draw(x) { return sum(x, 1); }\n",
      "sum.js": "export const sum = (a, b) => a + b;\n",
    ])
    #expect(bundle.modules == ["sum.js", "map/globe.js", "main.js"])
    #expect(
      bundle.text == """
        "use strict";
        const m0 = (() => {
        const sum = (a, b) => a + b;
        return { sum };
        })();
        const m1 = (() => {
        const { sum } = m0;
        function draw(x) { return sum(x, 1); }
        return { draw };
        })();
        const m2 = (() => {
        const { draw } = m1;
        const { sum: add } = m0;
        draw(add(1, 2));
        return {  };
        })();

        """)
  }

  @Test func commentsAndTypesAreLeftOut() throws {
    let bundle = try bundle([
      "main.js": """
      // A comment.
      /** @type {{a: number}[]} */ const list = /** @type {any} */ (JSON.parse("[]"));
      /**
       * @param {number} a
       */
        const f = (/** @type {number} */ a, /** @type {string} */ b) => `${a}
        // ${b}`;

      """
    ])
    #expect(
      bundle.text.contains(
        "\nconst list = (JSON.parse(\"[]\"));\nconst f = (a, b) => `${a}\n  // ${b}`;\n"), "\(bundle.text)")
  }

  @Test func anImportMayContinueOverLines() throws {
    let bundle = try bundle([
      "main.js": "import {\n  one,\n  two as second,\n} from \"./a.js\";\n",
      "a.js": "export class one {}\nexport async function two() {}\n",
    ])
    #expect(bundle.text.contains("const { one, two: second } = m0;"))
    #expect(bundle.text.contains("return { one, two };"))
  }

  @Test func aModuleHasTheExportsOfItsEntry() throws {
    let files = PageFiles(
      [
        "main.js": "export { one, two as second } from \"./a.js\";\nexport const here = import.meta.url;\n",
        "a.js": "export const one = 1;\nexport const two = 2;\n",
      ].mapValues { Array($0.utf8) })
    let bundle = try ScriptBundle(entry: "main.js", files: files, isModule: true)
    #expect(bundle.text.contains("const { one, two: second } = m0;"))
    #expect(bundle.text.hasSuffix("return { one, second, here };\n})();\nexport const { one, second, here } = m1;\n"))
    #expect(try !ScriptBundle(entry: "main.js", files: files).text.contains("export"))
  }

  @Test func commentsAndIndentationAreOmittedButNotInTemplates() throws {
    let bundle = try bundle([
      "main.js": "/**\n * Text.\n */\n// more\n  const a = `\n  // kept\n  /* kept */\n`;\n  f(a); // stays\n"
    ])
    #expect(bundle.text.contains("const a = `\n  // kept\n  /* kept */\n`;\nf(a); // stays\n"))
    #expect(!bundle.text.contains("Text."))
    #expect(!bundle.text.contains("more"))
  }

  @Test(arguments: [
    "import x from \"./a.js\";", "import * as a from \"./a.js\";", "import \"./a.js\";", "import { a } from \"a\";",
    "import { a } from \"../a.js\";", "export default 1;", "export let a = 1;", "export { a };",
    "export * from \"./a.js\";",
    "import { a } from './a.js';",
  ])
  func otherFormsAreRefused(_ line: String) {
    let error = code(["main.js": "\n\(line)\n", "a.js": "export const a = 1;\n"])
    #expect(error?.code == .unsupportedModule)
    #expect(error?.file == "main.js")
    #expect(error?.line == 2)
  }

  @Test func aCircleAndAMissingModuleAreRefused() {
    let circle = code([
      "main.js": "import { a } from \"./a.js\";\n", "a.js": "import { b } from \"./main.js\";\nexport const a = 1;\n",
    ])
    #expect(circle?.code == .unsupportedModule)
    #expect(circle?.reason == "it imports itself: main.js → a.js → main.js")
    let missing = code(["main.js": "import { a } from \"./b.js\";\n"])
    #expect(missing?.code == .fileMissing)
    #expect(missing?.file == "b.js")
  }

  @Test(arguments: ["</script>", "</SCRIPT", "<!--", "<script"]) func aScriptThatWouldEndItselfIsRefused(_ text: String)
  {
    #expect(code(["main.js": "f(\"\(text)\");\n"])?.code == .unsupportedModule)
  }

  @Test func thePageOfThisProgramIsOneScript() throws {
    let files = PageFiles.bundled
    guard files.bytes["main.js"] != nil else { return }
    _ = try ScriptBundle(entry: "main.js", files: files)
  }
}
