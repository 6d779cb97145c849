"""Writes the Swift file that a target with mutants gets: the switch, and the operators and functions that consult it."""
from mutations import operator_name

SWITCH = """
// Made by Scripts/mutate.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The mutant that is switched on; 0 for none.
@usableFromInline nonisolated(unsafe) let selectedMutant = getenv("CONTRAIL_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

/// A byte for each mutant, 1 if it was reached: a file in memory, so that threads, processes and crashes lose nothing.
@usableFromInline nonisolated(unsafe) let reachedMutants: UnsafeMutablePointer<UInt8>? = {
  guard let path = getenv("CONTRAIL_MUTANTS_HIT") else { return nil }
  let file = open(path, O_RDWR | O_CREAT, 0o644)
  guard file >= 0, ftruncate(file, SIZE) == 0,
    let memory = mmap(nil, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
  else { return nil }
  return memory.assumingMemoryBound(to: UInt8.self)
}()

@usableFromInline func mutant(_ id: Int) -> Bool {
  if let reachedMutants { reachedMutants[id] = 1 }
  return selectedMutant == id
}

@usableFromInline func mutatedBool(_ id: Int, _ value: Bool) -> Bool { mutant(id) ? !value : value }

@usableFromInline func mutatedLiteral<T: ExpressibleByIntegerLiteral>(_ id: Int, _ value: T, _ other: T) -> T {
  mutant(id) ? other : value
}

@usableFromInline func mutatedChoice<T>(_ id: Int, _ value: T, _ other: T) -> T { mutant(id) ? other : value }

@usableFromInline func mutatedMinimum<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> T { mutant(id) ? max(a, b) : min(a, b) }

@usableFromInline func mutatedMaximum<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> T { mutant(id) ? min(a, b) : max(a, b) }

extension Bool {
  @usableFromInline func mutatedNegation(_ id: Int) -> Bool { mutant(id) ? !self : self }
}

extension Sequence where Element: Comparable {
  @usableFromInline func mutatedMin(_ id: Int) -> Element? { mutant(id) ? self.max() : self.min() }
  @usableFromInline func mutatedMax(_ id: Int) -> Element? { mutant(id) ? self.min() : self.max() }
  @usableFromInline func mutatedSorted(_ id: Int) -> [Element] { mutant(id) ? Array(self) : self.sorted() }
}

extension BidirectionalCollection {
  @usableFromInline func mutatedFirst(_ id: Int) -> Element? { mutant(id) ? self.last : self.first }
  @usableFromInline func mutatedLast(_ id: Int) -> Element? { mutant(id) ? self.first : self.last }
}
"""


def declaration(site):
    """Returns the operator of a site, in Swift."""
    kind, _, text = site.declaration.partition(" ")
    name = operator_name(site)
    ids = [mutant.id for mutant in site.mutants]
    functions = []

    def function(signature, body, returns="Bool"):
        arrow = f" -> {returns}" if returns else ""
        functions.append(f"@usableFromInline func {name} {signature}{arrow} {{ {body} }}")

    if kind == "prefix":
        fixity = f"prefix operator {name}"
        functions.append(f"@usableFromInline prefix func {name} (a: Bool) -> Bool {{ mutant({ids[0]}) ? a : !a }}")
        return "\n".join([fixity] + functions)
    if kind in ("comparison", "nil"):
        precedence = "ComparisonPrecedence"
        others = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}[text]
        if kind == "nil":
            # Written out: `a != b` with such a value is not what a caller writes.
            plain, other = ("a == nil", "a != nil") if text == "==" else ("a != nil", "a == nil")
            function("<T>(a: T?, b: _OptionalNilComparisonType)", f"mutant({ids[0]}) ? {other} : {plain}")
        else:
            body = "".join(f"mutant({id}) ? a {other} b : " for id, other in zip(ids, others)) + f"a {text} b"
            function(f"<T: {'Equatable' if text in ('==', '!=') else 'Comparable'}>(a: T, b: T)", body)
    elif kind == "logical":
        precedence = {"&&": "LogicalConjunctionPrecedence", "||": "LogicalDisjunctionPrecedence"}[text]
        other = {"&&": "||", "||": "&&"}[text]
        function(
            "(a: Bool, b: @autoclosure () throws -> Bool) rethrows",
            f"mutant({ids[0]}) ? try a {other} b() : try a {text} b()")
    elif kind == "arithmetic":
        precedence = "AdditionPrecedence" if text in "+-" else "MultiplicationPrecedence"
        if text in "+-":
            other = {"+": "-", "-": "+"}[text]
            function("<T: AdditiveArithmetic>(a: T, b: T)", f"mutant({ids[0]}) ? a {other} b : a {text} b", "T")
            if text == "+":
                function("<T: RangeReplaceableCollection>(a: T, b: T)", f"mutant({ids[0]}) ? a : a + b", "T")
        elif text == "*":
            function("<T: Numeric>(a: T, b: T)", f"mutant({ids[0]}) ? a + b : a * b", "T")
        else:
            for bound in ("BinaryInteger", "FloatingPoint"):
                function(f"<T: {bound}>(a: T, b: T)", f"mutant({ids[0]}) ? a * b : a / b", "T")
    elif kind == "assignment":
        precedence = "AssignmentPrecedence"
        other = {"+=": "-=", "-=": "+="}[text]
        function(
            "<T: AdditiveArithmetic>(a: inout T, b: T)", f"if mutant({ids[0]}) {{ a {other} b }} else {{ a {text} b }}", "")
        if text == "+=":
            function(
                "<T: RangeReplaceableCollection, S: Sequence<T.Element>>(a: inout T, b: S)",
                f"if !mutant({ids[0]}) {{ a += b }}", "")
    elif kind == "default":
        precedence = "NilCoalescingPrecedence"
        for result in ("T", "T?"):
            function(
                f"<T>(a: @autoclosure () throws -> T?, b: @autoclosure () throws -> {result}) rethrows",
                f"mutant({ids[0]}) ? try b() : try a() ?? b()", result)
    return "\n".join([f"infix operator {name}: {precedence}"] + functions)


def text(sites, count):
    """Returns the generated file of a target, for mutants with identifiers up to `count`."""
    parts = [SWITCH.replace("SIZE", str(count + 1)).lstrip("\n")]
    parts += [declaration(site) for site in sites if site.declaration and not site.is_dropped]
    return "\n\n".join(parts) + "\n"
