// Lists small changes of JavaScript modules, as JSON: node mutations.mjs FILE…
//
// A change has the file, the line, the offsets of what is replaced, what replaces it, and words for it. The parser is TypeScript's.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

const require = createRequire(import.meta.url);
const find = () => {
  for (const path of ["typescript", "/usr/share/nodejs/typescript"]) {
    try {
      return require(path);
    } catch {}
  }
  throw new Error("there is no TypeScript. Install it, for example: sudo apt-get install node-typescript");
};
const ts = find();
const kinds = ts.SyntaxKind;

const opposites = new Map([
  ["<", "<="], ["<=", "<"], [">", ">="], [">=", ">"], ["===", "!=="], ["!==", "==="], ["&&", "||"], ["||", "&&"], ["+", "-"], ["-", "+"],
  ["*", "/"], ["/", "*"], ["%", "*"], ["+=", "-="], ["-=", "+="],
]);
const isText = (node) => ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)
  || (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

/** The changes of one node. */
function* changes(node) {
  const words = (part) => part.getText().replace(/\s+/g, " ").replaceAll("`", "'").slice(0, 60);
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken;
    const name = operator.getText();
    const other = opposites.get(name);
    if (other && !(name.startsWith("+") && (isText(node.left) || isText(node.right)))) yield [operator, other, `${name} → ${other}`];
    if (name === "??") yield [node, node.left.getText(), `?? ${words(node.right)} left out`];
  }
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) yield [node.expression, `!(${node.expression.getText()})`, `${words(node.expression)} negated`];
  if (ts.isConditionalExpression(node)) yield [node.condition, `!(${node.condition.getText()})`, `${words(node.condition)} negated`];
  if (ts.isNumericLiteral(node) && /^[0-9_]+$/.test(node.getText())) {
    const value = Number(node.getText().replaceAll("_", ""));
    yield [node, `${value + 1}`, `${value} → ${value + 1}`];
  }
  if (node.kind === kinds.TrueKeyword) yield [node, "false", "true → false"];
  if (node.kind === kinds.FalseKeyword) yield [node, "true", "false → true"];
  if (ts.isPropertyAccessExpression(node) && node.expression.getText() === "Math" && ["min", "max"].includes(node.name.text)) {
    yield [node.name, node.name.text === "min" ? "max" : "min", "Math.min ↔ Math.max"];
  }
  // A call of super() can't be left out.
  if (ts.isExpressionStatement(node) && !node.getText().startsWith("super")) yield [node, ";", `left out: ${words(node)}`];
  if (ts.isPrefixUnaryExpression(node) && node.operator === kinds.ExclamationToken) yield [node, `(${node.operand.getText()})`, `${words(node)} without !`];
}

const all = process.argv.slice(2).flatMap((path) => {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const found = [];
  const visit = (node) => {
    for (const [part, to, words] of changes(node)) {
      const from = part.getStart();
      found.push({ file: basename(path), line: source.getLineAndCharacterOfPosition(from).line + 1, from, to: part.getEnd(), text: to, words });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
});
console.log(JSON.stringify(all));
