"""Web and mail addresses, telephone numbers, versions: read sign by sign and in groups."""

from __future__ import annotations

import re
from functools import partial

from engine.text.normalize.language import Language
from engine.text.normalize.tracked import Tracked

_ENDINGS = (
    "com|org|net|edu|gov|mil|int|info|biz|io|ai|dev|app|tv|eu|uk|de|fr|es|pt|br|ru|рф|cn|jp|kr|ch|nl|pl|se|ca"
    "|au|nz|mx|ar"
)
_UNSURE_ENDINGS = "it|at|us|is|in|me|to|be|no|so"  # words in one language or another: only after www. or with a path
_HOST = r"(?:[a-z0-9](?:[a-z0-9-]{0,62})\.){1,8}"
_IN_ADDRESS = r"[^\s<>\"'«»“”()\[\]{}|\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]"
WEB = (
    rf"(?:https?://|ftp://){_IN_ADDRESS}{{1,2000}}|(?<![A-Za-z0-9@._-])www\.{_IN_ADDRESS}{{1,2000}}"
    rf"|(?<![A-Za-z0-9@._-]){_HOST}(?:(?:{_ENDINGS})(?![A-Za-z0-9_-])(?:/{_IN_ADDRESS}{{0,2000}})?"
    rf"|(?:{_UNSURE_ENDINGS})/{_IN_ADDRESS}{{0,2000}})"
)
MAIL = r"(?<![A-Za-z0-9À-ɏЀ-ӿ._+-])[A-Za-z0-9À-ɏЀ-ӿ._+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
_LONGEST_PATH = 60
_PHONES = (
    r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ+.,:/-])(?<!\d )(?:\+\d{1,3}[ ./-]?(?:\(\d{1,5}\)[ ./-]?)?\d{1,5}(?:[ ./-]\d{2,8}){1,6}"
    r"|\+\d{8,15}"
    r"|\(\d{2,5}\)[ -]?\d{2,8}(?:[ -]\d{2,8}){0,5}|0\d{1,5}(?:[ ./-]\d{2,8}){1,6}"
    r"|\d{1,5}(?:-\d{1,7}){3,6}|(?:1-)?\d{3}-\d{3}-\d{4}|\d{3}-\d{4}|8[ -]?\(?\d{3}\)?[ -]\d{3}[ -]\d{2}[ -]\d{2}"
    r"|[1-9]\d{1,3}(?: \d{2,4}){2,5})(?![0-9A-Za-zÀ-ɏЀ-ӿ%°€$£]|[.,:/-]\d| \d)"
)
_IP = r"(?<![\w.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?!\.?\d)"
_VERSION = r"(?<![\d.,])(\d{1,4}(?:\.\d{1,4}){2,20})(?!\.?\d)"
_LIST = r"(?<![\d.,])\d{1,15}(?:,\d{1,15}){2,200}(?![.,]?\d)"


def rewrite_addresses(text: Tracked, language: Language) -> None:
    text.sub(re.compile(MAIL), partial(_mail, language), needs="@")
    text.sub(re.compile(WEB, re.IGNORECASE), partial(_web, language))


def rewrite_phones(text: Tracked, language: Language) -> None:
    """Telephone numbers in groups, then numbers with several points or commas that group nothing."""
    text.sub(re.compile(_PHONES), partial(_phone, language))
    text.sub(re.compile(_IP), partial(_version, language))
    text.sub(re.compile(_VERSION), partial(_version, language))
    text.sub(re.compile(_LIST), partial(_list, language))


def _mail(language: Language, match: re.Match[str]) -> str:
    name, _, host = match[0].partition("@")
    return _pad(language, match, f"{_spell(name, language)} {language.signs.at} {_spell(host, language)}")


def _web(language: Language, match: re.Match[str]) -> str:
    written = match[0].rstrip(".,;:!?…。，；：！？、")
    tail = match[0][len(written) :]
    address = re.sub(r"^(?:https?|ftp)://", "", written, flags=re.IGNORECASE)
    address = re.sub(r"^www\.", "", address, flags=re.IGNORECASE)
    address = re.split(r"[?#]", address)[0].rstrip("/")
    if len(address) > _LONGEST_PATH:
        address = address.partition("/")[0]
    return _pad(language, match, _spell(address, language)) + tail


def _spell(address: str, language: Language) -> str:
    signs = language.signs
    names = {".": signs.dot, "/": signs.slash, "-": signs.dash, "_": signs.underscore, "@": signs.at, "+": signs.plus,
             "=": signs.equals, "&": signs.and_}  # fmt: skip
    spaced = re.sub(r"[^\w]", lambda m: f" {names.get(m[0], '')} ", address.replace("_", f" {signs.underscore} "))
    return re.sub(r"\s+", " ", spaced).strip()


def _pad(language: Language, match: re.Match[str], words: str) -> str:
    """Apart from a word that touches it (Chinese and Japanese leave no blanks)."""
    before = match.string[match.start() - 1 : match.start()]
    return f" {words}" if before.isalnum() and language.spaced else words


def _phone(language: Language, match: re.Match[str]) -> str | None:
    groups = re.findall(r"\d+", match[0])
    lengths = {len(group) for group in groups}
    if (
        match[0].replace(" ", "").isdigit()
        and match[0][0] != "0"
        and (lengths == {2} or lengths == {4})
        and len(groups) != 4
    ):
        return None
    if re.fullmatch(r"[1-9]\d{0,2}(?: \d{3})+", match[0]) and language.groups_by_space:
        return None
    if language.name == "french" and all(len(group) == 2 for group in groups):
        words = [language.digits(g) if g[0] == "0" else language.cardinal(int(g)) for g in groups]
    else:
        words = [language.digits(group) for group in groups]
    comma = ", " if language.spaced else "，" if language.name == "chinese" else "、"
    plus = language.join(language.signs.plus, "") if match[0].startswith("+") else ""
    return language.join(plus, comma.join(words))


def _version(language: Language, match: re.Match[str]) -> str | None:
    written = match[0]
    if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3}){2,}", written):
        return None
    words = language.join(*_between([language.integer(part) for part in written.split(".")], language.signs.dot))
    return _pad(language, match, words)


def _list(language: Language, match: re.Match[str]) -> str | None:
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3}){2,}", match[0]):
        return None
    return (", " if language.spaced else "、").join(language.integer(part) for part in match[0].split(","))


def _between(words: list[str], sign: str) -> list[str]:
    return [piece for word in words for piece in (sign, word)][1:]
