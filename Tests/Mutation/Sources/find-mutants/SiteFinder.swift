import Foundation
import SwiftSyntax

/// Finds the places of a source file that can be mutated: operators, literals, calls, conditions, statements and cases.
final class SiteFinder: SyntaxVisitor {
  private var expressions: [Site] = []
  private var conditions: [ExprSyntax] = []
  private var others: [Site] = []
  /// Conditions that consist of a Boolean name or call, which has a mutant that negates it.
  private var negated: Set<Range<Int>> = []

  /// Returns the places that were found, in the order in which the mutants are numbered.
  func sites() -> [Site] {
    expressions + conditions.compactMap(negation) + others
  }

  // MARK: Parts without mutants

  override func visit(_: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    let first = node.parent?.as(IfConfigClauseListSyntax.self)?.first
    let others = first == node ? nil : first?.condition?.trimmedDescription
    if let elements = node.elements, Self.mayBeBuilt(node.condition?.trimmedDescription ?? "", unless: others) {
      walk(elements)
    }
    return .skipChildren
  }

  /// A module that exists only on Linux.
  private static let linuxModule = "canImport(FoundationNetworking)"

  /// Frameworks that only Apple's platforms have.
  private static let frameworks: Set<String> = [
    "BackgroundTasks", "Combine", "CoreLocation", "CoreMotion", "CryptoKit", "Darwin", "Network", "OSLog", "Security",
    "UIKit",
  ]

  /// Whether code under a condition may be built here. On Linux, code that needs a framework of Apple's isn't.
  ///
  /// - Parameters:
  ///   - condition: Factors joined by `&&` and `||`. Parentheses aren't read.
  ///   - first: The condition of the first clause, if this is another.
  private static func mayBeBuilt(_ condition: String, unless first: String?) -> Bool {
    #if os(Linux)
      first != linuxModule
        && condition.components(separatedBy: "||").contains { product in
          product.components(separatedBy: "&&").allSatisfy { factor in
            let factor = factor.trimmingCharacters(in: .whitespaces)
            return factor != "!\(linuxModule)" && !frameworks.contains { factor == "canImport(\($0))" }
          }
        }
    #else
      true
    #endif
  }

  // MARK: Operators

  private static let comparisons = [
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
  ]
  private static let logical = ["&&": "||", "||": "&&"]
  private static let arithmetic = ["+": "-", "-": "+", "*": "+", "/": "*"]
  private static let assignments = ["+=": "-=", "-=": "+="]
  private static let allAssignments: Set<String> = ["+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="]

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { replace(node.operator, ["`!` removed"], "prefix") }
    return .visitChildren
  }

  override func visit(_ node: BinaryOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let token = node.operator
    let text = token.text
    if let mutations = Self.comparisons[text] {
      let isNil = token.nextToken(viewMode: .sourceAccurate)?.tokenKind == .keyword(.nil)
      replace(token, mutations.map { "`\(text)` → `\($0)`" }, "\(isNil ? "nil" : "comparison") \(text)")
    } else if let other = Self.logical[text] {
      replace(token, ["`\(text)` → `\(other)`"], "logical \(text)")
    } else if let other = Self.arithmetic[text] {
      replace(token, ["`\(text)` → `\(other)`"], "arithmetic \(text)")
    } else if let other = Self.assignments[text] {
      replace(token, ["`\(text)` → `\(other)`"], "assignment \(text)")
    } else if text == "??" {
      replace(token, ["`??` always takes the default"], "default")
    }
    return .visitChildren
  }

  /// Adds mutants that replace an operator.
  private func replace(_ token: TokenSyntax, _ mutations: [String], _ declaration: String) {
    add(token.range, mutations, [.init(token.range, "{operator}")], declaration: declaration)
  }

  // MARK: Literals

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.literal.text
    let digits = text.filter { $0 != "_" }
    let radix = ["0x": 16, "0b": 2, "0o": 8][digits.prefix(2)] ?? 10
    guard let value = UInt64(radix == 10 ? digits[...] : digits.dropFirst(2), radix: radix), value < .max else {
      return .skipChildren
    }
    let edit = Site.Edit(node.range, "mutatedLiteral({0}, \(text), \(value + 1))")
    add(node.range, ["`\(text)` → `\(value + 1)`"], [edit])
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.literal.text
    wrap(node.range, "`\(text)` → `\(text == "true" ? "false" : "true")`", "mutatedBool({0}, ", ")", &expressions)
    return .skipChildren
  }

  // MARK: Names and calls

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let isPlain = node.trailingClosure == nil
    if isPlain, node.arguments.count == 2, let called = node.calledExpression.as(DeclReferenceExprSyntax.self),
      let opening = node.leftParen,
      let (name, other) = ["min": ("Minimum", "max"), "max": ("Maximum", "min")][
        called.baseName.text]
    {
      let range = called.range.lowerBound..<opening.range.upperBound
      add(range, ["`\(called.baseName.text)` → `\(other)`"], [.init(range, "mutated\(name)({0}, ")])
    }
    if isPlain, node.arguments.isEmpty, let member = node.calledExpression.as(MemberAccessExprSyntax.self),
      member.base != nil, let (name, mutation) = Self.callsWithoutArguments[member.declName.baseName.text]
    {
      let range = member.declName.range.lowerBound..<node.range.upperBound
      add(range, [mutation], [.init(range, "\(name)({0})")])
    }
    if let name = node.calledExpression.name {
      let text = name.text
      let isBoolean = node.leftParen == nil ? ["contains", "allSatisfy"].contains(text) : isBooleanCall(text)
      if isBoolean { negate(ExprSyntax(node), from: name) }
    }
    return .visitChildren
  }

  private static let callsWithoutArguments = [
    "min": ("mutatedMin", "`min()` → `max()`"), "max": ("mutatedMax", "`max()` → `min()`"),
    "sorted": ("mutatedSorted", "`sorted()` removed"),
  ]

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.declName.baseName
    let isCalled = node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == node.id
    if node.base != nil, !isCalled, name.text == "first" || name.text == "last" {
      let follower = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate)?.text
      if follower != "=" {
        let isFirst = name.text == "first"
        let mutation = "`\(name.text)` → `\(isFirst ? "last" : "first")`"
        add(name.range, [mutation], [.init(name.range, "mutated\(isFirst ? "First" : "Last")({0})")])
      }
    } else if !isCalled, isBooleanName(name.text) {
      negate(ExprSyntax(node), from: name)
    }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id
    let isCalled = node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == node.id
    if !isMember, !isCalled, isBooleanName(node.baseName.text) { negate(ExprSyntax(node), from: node.baseName) }
    return .skipChildren
  }

  /// Adds a mutant that negates a Boolean expression which ends with a member or a call of that name.
  private func negate(_ node: ExprSyntax, from name: TokenSyntax) {
    // Where the value goes on to an operator, the operator has mutants.
    let before = node.firstToken(viewMode: .sourceAccurate)?.previousToken(viewMode: .sourceAccurate)?.text
    let after = node.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate)
    if let before, ["!", "&", "==", "!="].contains(before) { return }
    if let after {
      if ["=", "==", "!=", "|=", "&=", "!", "."].contains(after.text) { return }
      if after.tokenKind == .postfixQuestionMark { return }
    }
    if node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id { return }
    let range = name.range.lowerBound..<node.range.upperBound
    let text = String(decoding: node.root.syntaxTextBytes[range], as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let edit = Site.Edit(range.upperBound..<range.upperBound, ".mutatedNegation({0})")
    add(range, ["`\(text)` negated"], [edit])
    negated.insert(node.range)
  }

  // MARK: Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { conditions.append(condition) }
    return .visitChildren
  }

  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    conditions.append(node.condition)
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    conditions.append(node.condition)
    return .visitChildren
  }

  /// Returns a mutant that negates a condition, unless another mutant does the same.
  private func negation(of condition: ExprSyntax) -> Site? {
    let value = condition.as(TryExprSyntax.self)?.expression ?? condition
    let first = value.firstToken(viewMode: .sourceAccurate)?.text
    guard first != "await", !negated.contains(condition.range) else { return nil }
    let operators = value.as(SequenceExprSyntax.self)?.elements.compactMap {
      $0.as(BinaryOperatorExprSyntax.self)?.operator.text
    }
    if Set(operators ?? []).isDisjoint(with: ["&&", "||"]) {
      let count = operators?.count { Self.comparisons[$0] != nil }
      if count == 1 || first == "!" { return nil }
    }
    var found: [Site] = []
    wrap(condition.range, "condition negated", "mutatedBool({0}, ", ")", &found, wraps: true)
    return found.first
  }

  // MARK: Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    if canBeDeleted(node) {
      wrap(node.item.range, "statement deleted", "if !mutant({0}) { ", " }", &others, wraps: true)
    }
    return .visitChildren
  }

  private func canBeDeleted(_ node: CodeBlockItemSyntax) -> Bool {
    guard case .expr(let expression) = node.item, let list = node.parent?.as(CodeBlockItemListSyntax.self),
      let first = expression.firstToken(viewMode: .sourceAccurate),
      let last = expression.lastToken(viewMode: .sourceAccurate)
    else { return false }
    switch first.tokenKind {
    case .identifier, .dollarIdentifier, .wildcard, .keyword(.self), .keyword(.Self), .keyword(.super), .keyword(.try),
      .keyword(.await):
      break
    default: return false
    }
    let block = Block(around: list)
    if list.count == 1, block.isValue { return false }
    let parts = expression.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? [expression]
    if parts.contains(where: { $0.is(SwitchExprSyntax.self) }) { return false }
    let isAssignment = parts.contains {
      $0.is(AssignmentExprSyntax.self)
        || $0.as(BinaryOperatorExprSyntax.self).map { Self.allAssignments.contains($0.operator.text) } == true
    }
    if isAssignment { return !block.isInInitializer && !isFirstValue(parts, in: node) }
    return [")", "}"].contains(last.text) && !["fatalError", "preconditionFailure"].contains(first.text)
  }

  /// Returns whether a statement assigns the first value to a variable that was declared without one.
  private func isFirstValue(_ parts: [ExprSyntax], in node: CodeBlockItemSyntax) -> Bool {
    guard let name = parts.first?.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
    var parent = node.parent
    while let current = parent {
      if let list = current.as(CodeBlockItemListSyntax.self) {
        for case .decl(let declaration) in list.map(\.item) {
          for binding in declaration.as(VariableDeclSyntax.self)?.bindings ?? []
          where binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name {
            if binding.initializer == nil, binding.accessorBlock == nil { return true }
          }
        }
      }
      parent = current.parent
    }
    return false
  }

  // MARK: Cases

  /// Cases that are one name each, as `case .offline: .offline`: each takes the value of the next one.
  override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
    let arms = node.cases.compactMap { element -> MemberAccessExprSyntax? in
      guard let statements = element.as(SwitchCaseSyntax.self)?.statements, statements.count == 1,
        case .expr(let value)? = statements.first?.item, let member = value.as(MemberAccessExprSyntax.self),
        member.base == nil
      else { return nil }
      return member
    }
    for (index, arm) in arms.enumerated() {
      let name = arm.trimmedDescription
      let other = arms[(index + 1) % arms.count].trimmedDescription
      if name != other {
        wrap(arm.range, "`\(name)` → `\(other)`", "mutatedChoice({0}, ", ", \(other))", &others)
      }
    }
    return .visitChildren
  }

  // MARK: Adding

  private func add(_ range: Range<Int>, _ mutations: [String], _ edits: [Site.Edit], declaration: String? = nil) {
    expressions.append(
      Site(
        start: range.lowerBound, end: range.upperBound, mutations: mutations, edits: edits, declaration: declaration))
  }

  /// Adds a mutant that writes text before and after a part of the file.
  private func wrap(
    _ range: Range<Int>, _ mutation: String, _ before: String, _ after: String, _ sites: inout [Site],
    wraps: Bool = false
  ) {
    let (start, end) = (range.lowerBound, range.upperBound)
    sites.append(
      Site(
        start: start, end: end, mutations: [mutation],
        edits: [.init(start..<start, before), .init(end..<end, after)], wraps: wraps))
  }
}

/// The block around a list of statements.
private struct Block {
  /// Whether a statement that stands alone in the block is its value.
  var isValue = false
  /// Whether the block is that of an initializer, or a branch in one. What is assigned there can't be left out.
  var isInInitializer = false

  init(around list: CodeBlockItemListSyntax) {
    var parent = list.parent
    while let node = parent,
      node.is(IfConfigClauseSyntax.self) || node.is(IfConfigClauseListSyntax.self)
        || node.is(IfConfigDeclSyntax.self) || node.is(CodeBlockItemSyntax.self)
        || node.is(CodeBlockItemListSyntax.self)
    {
      parent = node.parent
    }
    if let closure = parent?.as(ClosureExprSyntax.self) {
      isValue = !(closure.enclosingCall?.text.lowercased().hasPrefix("foreach") ?? false)
    } else if parent?.is(AccessorBlockSyntax.self) == true {
      isValue = true
    } else if let owner = parent?.parent {
      isValue =
        owner.as(FunctionDeclSyntax.self)?.signature.returnClause != nil || owner.is(GuardStmtSyntax.self)
        || owner.as(AccessorDeclSyntax.self)?.accessorSpecifier.tokenKind == .keyword(.get)
    }
    while let node = parent {
      if node.is(ClosureExprSyntax.self) || node.is(FunctionDeclSyntax.self) || node.is(AccessorBlockSyntax.self) {
        return
      }
      if node.is(InitializerDeclSyntax.self) || node.is(DeinitializerDeclSyntax.self) {
        isInInitializer = true
        return
      }
      parent = node.parent
    }
  }
}

extension ClosureExprSyntax {
  /// The name of the function that the closure is given to.
  fileprivate var enclosingCall: TokenSyntax? {
    var node = parent
    while let current = node, !current.is(CodeBlockItemSyntax.self) {
      if let call = current.as(FunctionCallExprSyntax.self) { return call.calledExpression.name }
      node = current.parent
    }
    return nil
  }
}

extension ExprSyntax {
  /// The last name of `name` or `value.name`.
  fileprivate var name: TokenSyntax? {
    self.as(DeclReferenceExprSyntax.self)?.baseName ?? self.as(MemberAccessExprSyntax.self)?.declName.baseName
  }
}

extension SyntaxProtocol {
  /// The bytes of the file, without the spaces and comments around the node.
  fileprivate var range: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }
}

extension Site.Edit {
  fileprivate init(_ range: Range<Int>, _ text: String) {
    self.init(start: range.lowerBound, end: range.upperBound, text: text)
  }
}

// MARK: Names

/// Whether a name is that of a Boolean value.
private func isBooleanName(_ name: String) -> Bool {
  name == "isEmpty"
    || booleanPrefixes.contains { prefix in
      name.hasPrefix(prefix) && name.dropFirst(prefix.count).first.map { ("A"..."Z").contains($0) } == true
    }
}

/// Whether a name is that of a function which returns a Boolean value.
private func isBooleanCall(_ name: String) -> Bool { isBooleanName(name) || booleanCalls.contains(name) }

private let booleanPrefixes = [
  "is", "has", "needs", "was", "can", "should", "will", "did", "shows", "admits", "holds", "contains", "skips",
]
private let booleanCalls: Set<String> = [
  "contains", "allSatisfy", "isSubset", "isSuperset", "isDisjoint", "isMultiple", "hasPrefix", "hasSuffix", "shows",
  "admits", "holds",
]
