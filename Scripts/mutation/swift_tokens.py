"""Reads Swift source as tokens: enough to find operators, literals, conditions and statements without a parser."""
import re

KEYWORDS = set(
    "associatedtype break case catch class continue default defer deinit do else enum extension fallthrough for func guard if import in"
    " init let operator precedencegroup protocol repeat return struct subscript switch throw typealias var where while actor".split())
MODIFIERS = set(
    "public private fileprivate package internal static mutating nonmutating final override lazy weak unowned indirect convenience"
    " required nonisolated isolated consuming borrowing".split())
CONTROL = {"if", "guard", "else", "while", "for", "do", "defer", "repeat", "catch", "switch"}
TYPES = {"struct", "class", "enum", "extension", "protocol", "actor"}
OPENERS = {"(": ")", "[": "]", "{": "}"}
OPERATOR_CHARACTERS = set("/=-+!*%<>&|^~?")
WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_]*|`[^`]+`")
NUMBER = re.compile(r"0x[0-9A-Fa-f_]+|0b[01_]+|0o[0-7_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?")


class Token:
    """A token and where it stands; `kind` is word, integer, float, string, operator, postfix, punctuation, attribute or directive."""

    __slots__ = ("kind", "text", "start", "end", "line", "begins_line", "match", "parent", "is_pattern")

    def __init__(self, kind, text, start, line, begins_line):
        self.kind, self.text, self.start, self.end, self.line = kind, text, start, start + len(text), line
        self.begins_line = begins_line
        # The index of the other bracket, and of the bracket around it.
        self.match = self.parent = None
        self.is_pattern = False

    def __repr__(self):
        return f"{self.text}@{self.line}"


def string_end(text, start):
    """Returns where the string literal at `start` ends, with everything that is interpolated into it."""
    at = start
    while text[at] == "#":
        at += 1
    hashes = "#" * (at - start)
    quote = '"""' if text.startswith('"""', at) else '"'
    at += len(quote)
    while at < len(text):
        if text.startswith(quote + hashes, at):
            return at + len(quote + hashes)
        if text.startswith("\\" + hashes, at):
            at += 1 + len(hashes)
            if text[at] != "(":
                at += 1
                continue
            depth = 0
            while at < len(text):
                if text[at] == '"':
                    at = string_end(text, at)
                    continue
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
                if depth == 0:
                    break
        else:
            at += 1
    return at


def comment_end(text, start):
    """Returns where the block comment at `start` ends; comments nest."""
    depth, at = 0, start
    while at < len(text):
        if text.startswith("/*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*/", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                break
        else:
            at += 1
    return at


def read(text):
    """Returns the tokens of a source file, with brackets matched and patterns marked."""
    tokens, at, line, begins_line = [], 0, 1, True

    def add(kind, end):
        nonlocal at, line, begins_line
        tokens.append(Token(kind, text[at:end], at, line, begins_line))
        line += text.count("\n", at, end)
        at, begins_line = end, False

    while at < len(text):
        character = text[at]
        if character == "\n":
            line, at, begins_line = line + 1, at + 1, True
        elif character.isspace():
            at += 1
        elif text.startswith("//", at):
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        elif text.startswith("/*", at):
            end = comment_end(text, at)
            line, at = line + text.count("\n", at, end), end
        elif character == '"' or re.match(r'#+"', text[at:at + 8]):
            add("string", string_end(text, at))
        elif character == "@" and (word := WORD.match(text, at + 1)):
            end = word.end()
            if text[end:end + 1] == "(":
                depth = 0
                while True:
                    depth += {"(": 1, ")": -1}.get(text[end], 0)
                    end += 1
                    if depth == 0:
                        break
            add("attribute", end)
        elif character == "#":
            word = WORD.match(text, at + 1)
            if word and word.group() in ("if", "elseif", "else", "endif", "error", "warning"):
                end = text.find("\n", at)
                add("directive", len(text) if end < 0 else end)
            else:
                add("punctuation", word.end() if word else at + 1)
        elif word := WORD.match(text, at):
            add("word", word.end())
        elif character.isdigit():
            # In `pair.0.1` each is an index.
            pattern = re.compile("[0-9]+") if tokens and tokens[-1].text == "." else NUMBER
            number = pattern.match(text, at)
            is_float = "." in number.group() or ("e" in number.group().lower() and not number.group().startswith("0x"))
            add("float" if is_float else "integer", number.end())
        elif text.startswith("...", at) or text.startswith("..<", at):
            add("operator", at + 3)
        elif character in OPERATOR_CHARACTERS:
            follows = at > 0 and not text[at - 1].isspace() and text[at - 1] not in "([{,;:"
            if character in "?!" and follows and (tokens and tokens[-1].end == at):
                add("postfix", at + 1)
                continue
            end = at
            while end < len(text) and text[end] in OPERATOR_CHARACTERS and not text.startswith(("//", "/*"), end):
                end += 1
            add("operator", end)
        else:
            add("punctuation", at + 1)
    match_brackets(tokens)
    mark_patterns(tokens)
    return tokens


def match_brackets(tokens):
    open_brackets = []
    for index, token in enumerate(tokens):
        if token.kind == "punctuation" and token.text in ")]}" and open_brackets:
            other = open_brackets.pop()
            tokens[other].match, token.match = index, other
        token.parent = open_brackets[-1] if open_brackets else None
        if token.kind == "punctuation" and token.text in OPENERS:
            open_brackets.append(index)


def is_spaced(text, token):
    """Whether an operator stands between spaces, as a binary operator does here; that leaves out generics."""
    return text[token.start - 1:token.start].isspace() and text[token.end:token.end + 1].isspace()


def goes_on(before, after):
    """Whether a statement goes on from `before` to `after`, which begins a line."""
    if before.kind == "operator" or before.text in (",", ".", ":"):
        return True
    if after.text in (".", ",", "?", ":", "else", "catch", "where", "{") or after.text == "in":
        return True
    return after.kind == "operator" and after.text not in ("!", "-", "&", "...", "~")


def is_keyword(tokens, index):
    """Whether a word is used as a keyword: not as the name of a member, an argument or a case."""
    token = tokens[index]
    if token.kind != "word" or token.text not in KEYWORDS:
        return False
    if index > 0 and tokens[index - 1].text == ".":
        return False
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    return token.text == "default" or after is None or after.text != ":"


def mark_patterns(tokens):
    """Marks what stands between `case` and `:`, `=`, `where` or `in`: names and patterns, not values."""
    for index, token in enumerate(tokens):
        if token.text != "case" or not is_keyword(tokens, index):
            continue
        at = index + 1
        while at < len(tokens) and tokens[at].parent == token.parent:
            if tokens[at].text in (":", "=", "where", "in") or tokens[at].match is not None and tokens[at].match < at:
                break
            if tokens[at].begins_line and not goes_on(tokens[at - 1], tokens[at]):
                break
            end = tokens[at].match if tokens[at].match is not None else at
            for part in range(at, end + 1):
                tokens[part].is_pattern = True
            at = end + 1


def statement_start(tokens, index):
    """Returns the index at which the statement begins that the token at `index` is in, within the same brackets."""
    at = index
    while at > 0:
        before = tokens[at - 1]
        if before.match is None and before.text == ";":
            break
        if before.text in OPENERS and before.match is not None and before.match > at - 1:
            break
        if tokens[at].begins_line and not goes_on(before, tokens[at]):
            break
        at = before.match if before.text in ")]}" and before.match is not None else at - 1
    return at


def block_kind(tokens, index):
    """Returns what the `{` at `index` opens: a control keyword, func, returning, init, getter, type, accessor or closure."""
    if index == 0:
        return "closure"
    before = tokens[index - 1]
    if before.text in ("else", "do", "defer", "repeat", "catch") and is_keyword(tokens, index - 1):
        return before.text
    if before.text in ("get", "set", "willSet", "didSet", "_read", "_modify"):
        return "getter" if before.text == "get" else "accessor"
    start = statement_start(tokens, index)
    parts, at = [], start
    while at < index:
        parts.append(at)
        at = tokens[at].match + 1 if tokens[at].match is not None and tokens[at].match > at else at + 1
    for part in reversed(parts):
        if is_keyword(tokens, part) and tokens[part].text in CONTROL:
            return tokens[part].text
    words = {tokens[part].text: part for part in parts if is_keyword(tokens, part)}
    texts = [tokens[part].text for part in parts]
    if "func" in words or "subscript" in words:
        return "returning" if "->" in texts else "func"
    if ("init" in words or "deinit" in words) and "=" not in texts:
        return "init"
    if TYPES & set(words) and "=" not in texts:
        return "type"
    if "var" in words and "=" not in texts:
        return "getter"
    return "closure"


class Statement:
    """The tokens from `first` to `last`, both included, in the block that the bracket at `block` opens."""

    def __init__(self, first, last, block, is_only, is_arm):
        self.first, self.last, self.block, self.is_only, self.is_arm = first, last, block, is_only, is_arm


def statements(tokens, index):
    """Returns the statements of the block that the `{` at `index` opens, one after the other."""
    end, at, found, arm = tokens[index].match, index + 1, [], False
    if block_kind(tokens, index) == "closure":
        for part in range(at, end):
            if tokens[part].begins_line and part > at:
                break
            if tokens[part].text == "in" and tokens[part].parent == index:
                at = part + 1
                break
    while at < end:
        token = tokens[at]
        if token.text == ";" or token.kind in ("directive", "attribute"):
            at += 1
            continue
        if token.text in ("case", "default") and is_keyword(tokens, at):
            label = at
            while label < end and tokens[label].text != ":":
                inner = tokens[label].match
                label = inner + 1 if inner is not None and inner > label else label + 1
            if label < end and block_kind(tokens, index) == "switch":
                at, arm = label + 1, True
                continue
        last = at
        while True:
            inner = tokens[last].match
            if inner is not None and inner > last:
                last = inner
            after = last + 1
            if after >= end or tokens[after].text == ";" or tokens[after].kind == "directive":
                break
            if tokens[after].begins_line and not goes_on(tokens[last], tokens[after]):
                break
            last = after
        found.append((at, last, arm))
        at, arm = last + 1, False
    return [Statement(first, last, index, len(found) == 1, is_arm) for first, last, is_arm in found]
