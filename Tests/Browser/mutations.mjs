// Lists small changes of JavaScript modules, as JSON: node mutations.mjs FOLDER FILE…
//
// A change has the file, the line, the offsets of what is replaced, what replaces it, words for it, and the number of its place: the
// statement or function around it. The modules in FOLDER are written anew: they print `reached N` when they first come to a place.
// The parser is TypeScript's.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";

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

/** Says on the console, once in each page or worker, that a place was reached. */
const counter = `
function reached_(place) {
  const places = (globalThis.reached_places ??= new Set());
  if (!places.has(place)) console.debug("reached " + place);
  places.add(place);
}
`;

/** What stands before and after a place; null if the node is none. */
function counting(node, place) {
  const { parent } = node;
  if (parent && ts.isArrowFunction(parent) && node === parent.body && !ts.isBlock(node)) return [`(reached_(${place}), `, ")"];
  if (!ts.isStatement(node) || ts.isBlock(node) || ts.isDeclarationStatement(node)) return null;
  if (ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent)) return [`reached_(${place}); `, ""];
  return [`{ reached_(${place}); `, "}"];
}

const [folder, ...paths] = process.argv.slice(2);
let places = 0;
const all = paths.flatMap((path) => {
  const text = readFileSync(path, "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const found = [];
  let output = "", last = 0;
  const copy = (end, ...more) => {
    output += text.slice(last, end) + more.join("");
    last = end;
  };
  const visit = (node, around) => {
    // Nothing is heard of a service worker, whose script is no module: it is one place.
    const parts = ts.isExternalModule(source) ? counting(node, places + 1) : null;
    const place = parts ? ++places : around;
    if (parts) copy(node.getStart(), parts[0]);
    for (const [part, to, words] of changes(node)) {
      const from = part.getStart();
      found.push({ file: basename(path), line: source.getLineAndCharacterOfPosition(from).line + 1, from, to: part.getEnd(), text: to, words, place });
    }
    ts.forEachChild(node, (child) => visit(child, place));
    if (parts) copy(node.getEnd(), parts[1]);
  };
  const whole = ++places;
  visit(source, whole);
  copy(text.length, `\nreached_(${whole});`, counter);
  writeFileSync(join(folder, basename(path)), output);
  return found;
});
console.log(JSON.stringify(all));
