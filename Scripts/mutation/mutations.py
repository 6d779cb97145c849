"""Finds the places of a Swift source file that can be mutated, and writes the file with all mutants in it."""
import re

import swift_tokens as swift

COMPARISONS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*"}
ASSIGNMENTS = {"+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>="}
# Members and functions whose value is a Boolean by their name.
BOOLEAN = re.compile(r"(is|has|needs|was|can|should|will|did|shows|admits|holds|contains|skips)[A-Z]\w*|isEmpty")
BOOLEAN_CALLS = re.compile(
    BOOLEAN.pattern + "|contains|allSatisfy|isSubset|isSuperset|isDisjoint|isMultiple|hasPrefix|hasSuffix|shows|admits|holds")
# The characters of which the generated operators are made.
DIGITS = [chr(code) for code in range(0x2500, 0x2580)]


class Mutant:
    """One change of one place; `id` switches it on."""

    def __init__(self, site, what):
        self.site, self.what, self.id, self.state = site, what, 0, None
        # The tiers whose tests reach it, the tier that killed it and the first thing that failed.
        self.reached, self.tier, self.cause = [], None, None

    @property
    def key(self):
        """What names the mutant as long as its line stays as it is, wherever that stands in the file."""
        return (self.site.file.path, self.site.source_line, self.what, self.site.occurrence)


class Site:
    """A place and its mutants, which are written together.

    `edits` are (start, end, text), where `{0}` in a text is the first mutant's identifier and `{operator}` its operator. `wraps` tells
    that the site may enclose others.
    """

    def __init__(self, file, start, end, whats, edits, declaration=None, wraps=False):
        self.file, self.start, self.end, self.edits, self.wraps = file, start, end, edits, wraps
        self.declaration = declaration
        self.line = file.text.count("\n", 0, start) + 1
        self.source_line = file.lines[self.line - 1].strip()
        self.occurrence = 0
        self.mutants = [Mutant(self, what) for what in whats]
        self.is_dropped = False


def operator_name(site):
    """Returns the operator of a site: digits of its first mutant's identifier, between two strokes."""
    number, name = site.mutants[0].id, ""
    while number or not name:
        name, number = DIGITS[number % 128] + name, number // 128
    return "╱" + name + "╲"


class SourceFile:
    """A source file, its tokens and the sites found in it."""

    def __init__(self, path, text):
        self.path, self.text, self.lines = path, text, text.split("\n")
        self.tokens = swift.read(text)
        self.sites = []
        # The tokens that a condition consists of, which is negated as a whole otherwise.
        self.negated = set()
        self.find_tokens()
        self.find_conditions()
        self.find_statements()
        self.find_arms()
        self.sites.sort(key=lambda site: (site.start, -site.end))
        counts = {}
        for site in self.sites:
            key = (site.source_line, tuple(mutant.what for mutant in site.mutants))
            site.occurrence = counts.get(key, 0)
            counts[key] = site.occurrence + 1

    def add(self, start, end, whats, edits, declaration=None, wraps=False):
        self.sites.append(Site(self, start, end, whats, edits, declaration, wraps))

    def around(self, first, last, what, before, after, is_token=False):
        """Adds a site that writes text before the token `first` and after the token `last`."""
        start, end = self.tokens[first].start, self.tokens[last].end
        self.add(start, end, [what], [(start, start, before), (end, end, after)], wraps=not is_token)

    def next(self, index):
        return self.tokens[index + 1].text if index + 1 < len(self.tokens) else ""

    # Tokens

    def find_tokens(self):
        for index, token in enumerate(self.tokens):
            if token.is_pattern or self.is_name_of_function(index):
                continue
            if token.kind == "operator":
                self.find_operator(index, token)
            elif token.kind == "integer":
                self.find_integer(index, token)
            elif token.kind == "word":
                self.find_word(index, token)

    def is_name_of_function(self, index):
        return index > 0 and self.tokens[index - 1].text == "func"

    def find_operator(self, index, token):
        def replace(whats, declaration):
            self.add(token.start, token.end, whats, [(token.start, token.end, "{operator}")], declaration)

        text = token.text
        if text == "!" and not swift.is_spaced(self.text, token):
            return replace(["`!` removed"], "prefix")
        if not swift.is_spaced(self.text, token):
            return
        if text in COMPARISONS:
            is_nil = self.next(index) == "nil"
            whats = COMPARISONS[text]
            return replace([f"`{text}` → `{what}`" for what in whats], f"nil {text}" if is_nil else f"comparison {text}")
        if text in ("&&", "||"):
            other = {"&&": "||", "||": "&&"}[text]
            return replace([f"`{text}` → `{other}`"], f"logical {text}")
        if text in ARITHMETIC:
            return replace([f"`{text}` → `{ARITHMETIC[text]}`"], f"arithmetic {text}")
        if text in ("+=", "-="):
            other = {"+=": "-=", "-=": "+="}[text]
            return replace([f"`{text}` → `{other}`"], f"assignment {text}")
        if text == "??":
            return replace(["`??` always takes the default"], "default")

    def find_integer(self, index, token):
        if index and self.tokens[index - 1].text == ".":
            return
        parent = self.tokens[token.parent] if token.parent is not None else None
        if parent and parent.text == "(" and self.tokens[token.parent - 1].text in ("#available", "available"):
            return
        value = int(token.text.replace("_", ""), 0) if not re.match(r"0\d", token.text) else int(token.text)
        self.add(
            token.start, token.end, [f"`{token.text}` → `{value + 1}`"],
            [(token.start, token.end, f"mutatedLiteral({{0}}, {token.text}, {value + 1})")])

    def find_word(self, index, token):
        text, before, after = token.text, self.tokens[index - 1].text if index else "", self.next(index)
        if text in ("true", "false"):
            other = {"true": "false", "false": "true"}[text]
            return self.around(index, index, f"`{text}` → `{other}`", "mutatedBool({0}, ", ")", is_token=True)
        if text in ("min", "max") and before != "." and after == "(" and self.arguments(index + 1) == 2:
            name = {"min": "mutatedMinimum", "max": "mutatedMaximum"}[text]
            other = {"min": "max", "max": "min"}[text]
            opening = self.tokens[index + 1]
            return self.add(
                token.start, opening.end, [f"`{text}` → `{other}`"], [(token.start, opening.end, f"{name}({{0}}, ")])
        if before == "." and text in ("min", "max", "sorted") and after == "(" and self.next(index + 1) == ")":
            what = {"min": "`min()` → `max()`", "max": "`max()` → `min()`", "sorted": "`sorted()` removed"}[text]
            name = {"min": "mutatedMin", "max": "mutatedMax", "sorted": "mutatedSorted"}[text]
            closing = self.tokens[index + 2]
            return self.add(token.start, closing.end, [what], [(token.start, closing.end, f"{name}({{0}})")])
        if before == "." and text in ("first", "last") and after not in ("(", "{", "=", ":"):
            other = {"first": "last", "last": "first"}[text]
            name = {"first": "mutatedFirst", "last": "mutatedLast"}[text]
            if not self.is_key_path(index):
                self.add(
                    token.start, token.end, [f"`{text}` → `{other}`"], [(token.start, token.end, f"{name}({{0}})")])
            return
        self.find_boolean(index)

    def arguments(self, opening):
        """Returns how many arguments stand between brackets."""
        end = self.tokens[opening].match
        commas = sum(1 for at in range(opening + 1, end) if self.tokens[at].text == "," and self.tokens[at].parent == opening)
        return 0 if end == opening + 1 else commas + 1

    def chain_start(self, index):
        """Returns where the chain of members begins that the word at `index` ends."""
        at = index
        while at > 0 and self.tokens[at - 1].text == ".":
            at -= 1
            while at > 0 and self.tokens[at - 1].end == self.tokens[at].start:
                before = self.tokens[at - 1]
                if before.kind == "postfix" or before.kind == "word":
                    at -= 1
                elif before.text in ")]}" and before.match is not None:
                    at = before.match
                else:
                    break
                if before.kind == "word":
                    break
        return at

    def is_key_path(self, index):
        return self.tokens[self.chain_start(index) - 1].text == "\\" if index else False

    def find_boolean(self, index):
        token, after, last = self.tokens[index], self.next(index), index
        if after == "(" and self.tokens[index + 1].start == token.end:
            if not BOOLEAN_CALLS.fullmatch(token.text):
                return
            last = self.tokens[index + 1].match
        elif after == "{" and token.text in ("contains", "allSatisfy"):
            last = self.tokens[index + 1].match
        elif not BOOLEAN.fullmatch(token.text):
            return
        start = self.chain_start(index)
        before = self.tokens[start - 1] if start else None
        follower = self.next(last)
        if before and before.text in ("var", "let", "func", "case", "\\", "!", "&", "==", "!=", "inout", "struct", "enum"):
            return
        if follower in ("=", ":", "==", "!=", "|=", "&=", "!", "?", ".") and not (
                follower == ":" and self.is_ternary_or_argument(last + 1, start)):
            if not (follower == "?" and swift.is_spaced(self.text, self.tokens[last + 1])):
                return
        if before and before.kind == "word" and not swift.is_keyword(self.tokens, start - 1) and before.text != "try":
            return
        end = self.tokens[last].end
        self.add(
            self.tokens[index].start, end, [f"`{self.text[self.tokens[index].start:end]}` negated"],
            [(end, end, ".mutatedNegation({0})")])
        self.negated.add((start, last))

    def is_ternary_or_argument(self, colon, start):
        """Whether the colon is that of a conditional expression."""
        at = start
        while at > 0 and self.tokens[at - 1].parent == self.tokens[colon].parent:
            at -= 1
            if self.tokens[at].text == "?" and self.tokens[at].kind == "operator":
                return True
            if self.tokens[at].begins_line:
                return False
        return False

    # Conditions

    def find_conditions(self):
        for index, token in enumerate(self.tokens):
            if token.text not in ("if", "guard", "while", "where") or not swift.is_keyword(self.tokens, index):
                continue
            if token.text == "where" and not self.is_where_of_values(index):
                continue
            stop = {"guard": ("else",), "where": ("{", ":")}.get(token.text, ("{",))
            start = at = index + 1
            while at < len(self.tokens):
                current = self.tokens[at]
                if current.parent != token.parent:
                    break
                if current.text in stop or current.text in (",",) and token.text != "where":
                    if start < at:
                        self.add_condition(start, at - 1)
                    start = at + 1
                    if current.text in stop:
                        break
                at = current.match + 1 if current.match is not None and current.match > at else at + 1

    def is_where_of_values(self, index):
        """Whether a `where` is that of a loop or a case, not of generics."""
        start = swift.statement_start(self.tokens, index)
        return self.tokens[start].text in ("for", "case", "if", "guard", "while")

    def add_condition(self, first, last):
        if self.tokens[first].text in ("let", "var", "case", "#available", "await", "#unavailable"):
            return
        if (first, last) in self.negated:
            return
        parent = self.tokens[first].parent
        operators = [
            token.text for token in self.tokens[first:last + 1]
            if token.parent == parent and token.kind == "operator"]
        if not {"&&", "||"} & set(operators):
            # Negating one comparison, or what a `!` negates, is another mutant already.
            if sum(1 for text in operators if text in COMPARISONS) == 1 or operators[:1] == ["!"]:
                return
        self.around(first, last, "condition negated", "mutatedBool({0}, ", ")")

    # Statements

    def find_statements(self):
        for index, token in enumerate(self.tokens):
            if token.text != "{" or token.match is None:
                continue
            kind = swift.block_kind(self.tokens, index)
            if kind == "type":
                continue
            for statement in swift.statements(self.tokens, index):
                if self.is_deletable(statement, kind):
                    self.around(
                        statement.first, statement.last, "statement deleted", "if !mutant({0}) { ", " }")

    def is_deletable(self, statement, kind):
        first, last, tokens = self.tokens[statement.first], self.tokens[statement.last], self.tokens
        if first.kind != "word" or first.text in swift.KEYWORDS or first.text in swift.MODIFIERS:
            return False
        if kind == "guard" or statement.is_only and kind in ("returning", "getter"):
            return False
        if statement.is_only and kind == "closure" and not self.is_loop(statement.block):
            return False
        parts = [
            index for index in range(statement.first, statement.last + 1) if tokens[index].parent == first.parent]
        if any(tokens[index].text == "switch" and swift.is_keyword(tokens, index) for index in parts):
            return False
        assigned = [index for index in parts if tokens[index].text == "=" or tokens[index].text in ASSIGNMENTS]
        if assigned:
            return not self.is_in_initializer(statement.block) and not self.is_first_value(statement)
        return last.text in (")", "}") and first.text not in ("fatalError", "preconditionFailure")

    def is_in_initializer(self, block):
        """Whether the block is that of an `init`, or a branch in one: what is assigned there must be."""
        while block is not None:
            if self.tokens[block].text == "{":
                kind = swift.block_kind(self.tokens, block)
                if kind not in swift.CONTROL:
                    return kind == "init"
            block = self.tokens[block].parent
        return False

    def is_loop(self, block):
        """Whether the closure is the body of a `forEach`."""
        start = swift.statement_start(self.tokens, block)
        return any(token.text.lower().startswith("foreach") for token in self.tokens[start:block])

    def is_first_value(self, statement):
        """Whether the statement gives a constant or variable its first value."""
        name = self.tokens[statement.first].text
        if self.next(statement.first) != "=":
            return False
        line = self.tokens[statement.first].line
        declaration = re.compile(rf"\s*(let|var) {re.escape(name)}: [^={{]*$")
        return any(declaration.match(text) for text in self.lines[max(0, line - 60):line - 1])

    # Cases

    def find_arms(self):
        """Finds cases that are one name each, as `case .offline: .offline`: each takes the value of the next one."""
        for index, token in enumerate(self.tokens):
            if token.text != "{" or token.match is None or swift.block_kind(self.tokens, index) != "switch":
                continue
            arms = [
                statement for statement in swift.statements(self.tokens, index)
                if statement.is_arm and statement.last == statement.first + 1
                and self.tokens[statement.first].text == "." and self.tokens[statement.last].kind == "word"]
            names = ["." + self.tokens[arm.last].text for arm in arms]
            for arm, name, other in zip(arms, names, names[1:] + names[:1]):
                if name != other:
                    self.around(
                        arm.first, arm.last, f"`{name}` → `{other}`", "mutatedChoice({0}, ", f", {other})",
                        is_token=True)

    # Writing

    def written(self):
        """Returns the file with the mutants in it, and pairs (where it stands there, where it stands here)."""
        edits = []
        for site in self.sites:
            if site.is_dropped:
                continue
            names = [str(mutant.id) for mutant in site.mutants]
            for start, end, text in site.edits:
                text = text.replace("{operator}", operator_name(site)).replace("{0}", names[0])
                size = site.end - site.start
                # Where several begin or end at one place, the larger ones begin first and end last.
                if start < end:
                    order = (1, -size)
                elif start == site.start and site.start != site.end and not text.startswith("."):
                    order = (1, -size - 0.5)
                else:
                    order = (0, size)
                edits.append((start, order, end, text))
        edits.sort(key=lambda edit: (edit[0], edit[1]))
        pieces, places, at, length = [], [], 0, 0
        for start, _, end, text in edits:
            pieces += [self.text[at:start], text]
            places.append((length, at))
            length += start - at
            places.append((length, start))
            length += len(text)
            at = end
        pieces.append(self.text[at:])
        places.append((length, at))
        return "".join(pieces), places
