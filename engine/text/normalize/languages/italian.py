"""Italian: uno and una agree; the first of a month is an ordinal."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Money, Signs, in_words, word_set
from engine.text.normalize.languages.romance import Romance, roman
from engine.text.normalize.tracked import Tracked

_LARGEST_DEGREE_ORDINAL = 10  # "5° posto"; "25°" is a temperature


class Italian(Romance):
    name = "italian"
    locale = "it"
    converter = "it"
    cents_joined_by = "e"
    signs = Signs(
        point="virgola", minus="meno", plus="più", to="a", equals="uguale a", times="per", and_="e", about="circa",
        at="chiocciola", dot="punto", slash="barra", dash="trattino", underscore="trattino basso", number="numero",
        section="paragrafo", squared="al quadrato", cubed="al cubo", plus_minus="più o meno", less="minore di",
        greater="maggiore di", divided="diviso", permille="per mille",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "EUR": Money("euro", "centesimo|centesimi"),
        "USD": Money("dollaro|dollari", "centesimo|centesimi"),
        "GBP": Money("sterlina|sterline", "penny|pence", "f"),
        "CHF": Money("franco|franchi", "centesimo|centesimi"),
        "JPY": Money("yen"),
        "CNY": Money("yuan"),
        "RUB": Money("rublo|rubli", "copeco|copechi"),
    }
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {
        "mln": ("milione|milioni", "m"), "mln.": ("milione|milioni", "m"), "milioni": ("milione|milioni", "m"),
        "milione": ("milione|milioni", "m"), "mld": ("miliardo|miliardi", "m"), "mld.": ("miliardo|miliardi", "m"),
        "miliardi": ("miliardo|miliardi", "m"), "miliardo": ("miliardo|miliardi", "m"),
    }  # fmt: skip
    scale_link = "di"
    abbreviations: ClassVar[dict[str, str]] = {
        "Sig.": "signor", "Sig.ra": "signora", "Sig.na": "signorina", "Sigg.": "signori", "Dott.": "dottor",
        "dott.": "dottor", "Dott.ssa": "dottoressa", "dott.ssa": "dottoressa", "Dr.": "dottor", "Prof.": "professor",
        "Prof.ssa": "professoressa", "Ing.": "ingegner", "Avv.": "avvocato", "Arch.": "architetto",
        "ecc.": "eccetera", "es.": "esempio", "p. es.": "per esempio", "p.es.": "per esempio", "ca.": "circa",
        "a.C.": "avanti Cristo", "d.C.": "dopo Cristo", "a. C.": "avanti Cristo", "d. C.": "dopo Cristo",
        "S.p.A.": "esse pi a", "max.": "massimo", "min.": "minimo", "tel.": "telefono", "Tel.": "telefono",
        "cfr.": "confronta", "vs.": "contro", "Spett.": "spettabile", "On.": "onorevole",
    }  # fmt: skip
    before_number: ClassVar[dict[str, str]] = {
        "n.": "numero", "N.": "numero", "n°": "numero", "N°": "numero", "nº": "numero", "pag.": "pagina",
        "pagg.": "pagine", "p.": "pagina", "pp.": "pagine", "cap.": "capitolo", "art.": "articolo", "fig.": "figura",
        "vol.": "volume",
    }  # fmt: skip
    may_end = frozenset({"ecc.", "a.C.", "d.C.", "a. C.", "d. C.", "S.p.A."})
    feminine_endings = ("a", "zione", "sione", "tà")
    feminine = frozenset({"volte", "ore", "persone", "settimane", "notte", "parte", "classe", "mano"})
    masculine = word_set("problema sistema tema programma pianeta poeta chilogrammo clima")
    not_counted = word_set(
        "e o di del della dei in a al alla per con che più meno è sono era erano ma se il la lo gli le i un una come "
        "mila da su tra fra ha hanno non"
    )
    fractions: ClassVar[dict[int, tuple[str, str]]] = {
        2: ("mezzo", "mezzi"), 3: ("terzo", "terzi"), 4: ("quarto", "quarti"), 5: ("quinto", "quinti"),
        6: ("sesto", "sesti"), 7: ("settimo", "settimi"), 8: ("ottavo", "ottavi"), 9: ("nono", "noni"),
        10: ("decimo", "decimi"),
    }  # fmt: skip
    and_a_half = "e mezzo"

    def counted(self, number: int, gender: Gender) -> str:
        if number != 1:
            return self.cardinal(number)
        return "una" if gender == "f" else "un"

    def percent(self, number: str) -> str:
        return f"{number} per cento"

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{'primo' if day == 1 else self.cardinal(day)} {self.month_name(month)}"
        return words if year is None else f"{words} {self.cardinal(year)}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = "una" if hour == 1 else self.cardinal(hour)
        if minute:
            words += f" e {self.cardinal(minute)}"
        return words if not second else f"{words} e {self.cardinal(second)} secondi"

    def ordinal(self, number: int, gender: Gender) -> str:
        words = in_words(number, "it", "ordinal")
        return f"{words[:-1]}a" if gender == "f" else words

    def own_rules(self, text: Tracked) -> None:
        text.sub(re.compile(r"\b([IVX]+)(?= secolo\b)"), lambda m: self.ordinal(roman(m[1]), "m"))
        text.sub(re.compile(r"(?<=[Ss]ecolo )([IVX]+)\b"), lambda m: self.ordinal(roman(m[1]), "m"))
        months = "|".join(self.month_name(n) for n in range(1, 13))
        text.sub(re.compile(rf"\b1[°º]?(?= (?:{months})\b)"), "primo")
        text.sub(re.compile(r"\b(\d{1,3})(º|°(?= [a-zà-ú]{3})|ª|mo|esimo|esima)(?!\w)(?! ?[CF]\b)"), self._ordinal)

    def _ordinal(self, match: re.Match[str]) -> str | None:
        if match[1] == "0" or (match[2] == "°" and int(match[1]) > _LARGEST_DEGREE_ORDINAL):
            return None
        return self.ordinal(int(match[1]), "f" if match[2] in ("ª", "esima") else "m")
