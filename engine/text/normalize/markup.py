"""HTML, SSML and markdown: the words stay, the marks go; what ends a block ends a sentence."""

from __future__ import annotations

import re

from engine.text.normalize.addresses import MAIL, WEB
from engine.text.normalize.tracked import Tracked

_HIDDEN = re.compile(
    r"<!--(?:(?!<!--).)*?-->|<(script|style)\b[^<>]{0,2000}>(?:(?!<(?:script|style)\b).)*?</\1>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = r"\s+[\w:-]{1,40}\s*=\s*(?:\"[^\"<>]{0,2000}\"|'[^'<>]{0,2000}'|[^\s\"'<>=]{1,2000})"
_ALIAS = re.compile(r"<sub\s+alias\s*=\s*\"([^\"<>]{1,500})\"\s*>[^<>]{0,500}</sub>", re.IGNORECASE)
_AUTOLINK = re.compile(rf"<(https?://[^\s<>]{{1,2000}}|{MAIL})>")
_PAUSE_TAG = re.compile(rf" ?</?break(?:{_ATTRIBUTE}){{0,10}}\s*/?> ?", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    rf" ?(?:<br(?:{_ATTRIBUTE}){{0,10}}\s*/?>|</(?:p|div|li|h[1-6]|tr|ul|ol|blockquote|s)\s*>) ?", re.IGNORECASE
)
_TAG = re.compile(rf"</?[A-Za-z][\w:-]{{0,40}}(?:{_ATTRIBUTE}){{0,40}}\s*/?>|<[!?][^<>]{{0,2000}}>")
_DROPPED_LINES = re.compile(
    r"^ ?(?:`{3,}[^\n`]*|~{3,}[^\n~]*|\|?(?: ?:?-{2,}:? ?\|){0,100}(?: ?:?-{2,}:?) ?\|?|[*_=]{3,}"
    r"|(?:[*_-] ){2,}[*_-]|\[[^\[\]\n]{1,200}\]: \S[^\n]*)$\n?",
    re.MULTILINE,
)
_HEADING = re.compile(r"^( ?#{1,6} +)[^\n]*?( ?#*)$", re.MULTILINE)
_QUOTE = re.compile(r"^ ?(?:> ?)+", re.MULTILINE)
_BULLET = re.compile(r"^( ?[-*+•‣◦▪·∙]+ (?:\[[ xX]\] )?)[^\n]*?( ?)$", re.MULTILINE)
_NUMBERED = re.compile(r"^ ?\d{1,3}([.)]) [^\n]*?( ?)$", re.MULTILINE)
_ROW = re.compile(r"^ ?(\| ?)[^\n]*?( ?\|? ?)$", re.MULTILINE)
_CELL = re.compile(r" ?\| ?(?=\S)")
_IMAGE = re.compile(r"!\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}\)")
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\](?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)|\[[^\[\]\n]{0,200}\])")
_FOOTNOTE = re.compile(r" ?\[(?:\^[^\[\]\n]{1,50}|\d{1,3}(?: ?[,–-] ?\d{1,3}){0,20})\]:?")
_NOTE_SIGN = re.compile(r"(?<=[^\W\d_]{3})[¹²³]+(?!\w)|(?<=[^\W\d_]{2}[.,;])[¹²³]+(?!\w)|[¹](?!\w)")
_ESCAPE = re.compile(r"\\(?=[\\`*_{}\[\]()#+.!|~>-])")
_EMPHASIS = re.compile(
    rf"(?P<address>{WEB}|{MAIL})|(?<!\d)(?<!\s)\*+|(?<!\d)\*+(?=\S)|\*+(?![\s\d])|(?<=\s)\*+(?=\n|$)|`+|~~+"
    r"|(?<![^\W_])_+|_+(?![^\W_])|_+",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"[.!?…:;,。！？：；，、؟]['\"”’»)\]*_`~]*$")


def strip_tags(text: Tracked) -> None:
    """Tags of HTML and SSML; a break is a comma, the end of a block a new line."""
    if "<" not in text.text:
        return
    text.sub(_HIDDEN, " ")
    text.sub(_ALIAS, lambda m: m[1])
    text.sub(_AUTOLINK, lambda m: m[1])
    text.sub(_PAUSE_TAG, _pause)
    text.sub(_BLOCK_TAG, "\n")
    text.sub(_TAG, "")


def strip_markdown(text: Tracked, full_stop: str) -> None:
    """Markdown's marks; headings, list entries and table rows end in `full_stop`."""
    text.sub(_DROPPED_LINES, "")
    text.sub(_QUOTE, "")
    for pattern in (_HEADING, _BULLET, _ROW):
        text.apply([edit for match in pattern.finditer(text.text) for edit in _as_sentence(match, full_stop)])
    text.apply([edit for match in _NUMBERED.finditer(text.text) for edit in _numbered(match, full_stop)])
    text.sub(_CELL, ", ", needs="|")
    text.apply([edit for match in _IMAGE.finditer(text.text) for edit in _unwrapped(match)])
    text.apply([edit for match in _LINK.finditer(text.text) for edit in _unwrapped(match)])
    text.sub(_FOOTNOTE, "", needs="[")
    text.sub(_NOTE_SIGN, "", needs="¹²³")
    text.sub(_ESCAPE, "", needs="\\")
    text.sub(_EMPHASIS, _emphasis, needs="*_`~")


def _pause(match: re.Match[str]) -> str:
    before = match.string[: match.start()].rstrip()[-1:]
    return " " if not before or before in ".!?…:;,。！？：；，、" else ", "


def _as_sentence(match: re.Match[str], full_stop: str) -> list[tuple[int, int, str]]:
    """Without the mark in front, and with an end."""
    body = match.string[match.end(1) : match.start(2)]
    stop = full_stop if body.strip() and not _CLOSING.search(body[-12:]) else ""
    return [(match.start(1), match.end(1), ""), (match.start(2), match.end(2), stop)]


def _numbered(match: re.Match[str], full_stop: str) -> list[tuple[int, int, str]]:
    body = match.string[match.end(1) : match.start(2)]
    stop = full_stop if not _CLOSING.search(body[-12:]) else ""
    return [(match.start(1), match.end(1), "."), (match.start(2), match.end(2), stop)]


def _unwrapped(match: re.Match[str]) -> list[tuple[int, int, str]]:
    return [(match.start(), match.start(1), ""), (match.end(1), match.end(), "")]


def _emphasis(match: re.Match[str]) -> str | None:
    if match["address"]:
        return None
    if match[0][0] != "_":
        return ""
    beside = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    return " " if all(sign.isalnum() for sign in beside) else ""
