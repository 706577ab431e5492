"""Spanish: un, una and the hundreds agree; the hours are feminine; $ is read as dollars."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Money, Signs, in_words, word_set
from engine.text.normalize.languages.romance import Romance
from engine.text.normalize.tracked import Tracked

_ORDINALS = {11: "undécimo", 12: "duodécimo"}


_LARGEST_DEGREE_ORDINAL = 10  # "5° posto"; "25°" is a temperature


class Spanish(Romance):
    name = "spanish"
    locale = "es"
    converter = "es"
    cents_joined_by = "con"
    signs = Signs(
        point="coma", minus="menos", plus="más", to="a", equals="igual a", times="por", and_="y", about="unos",
        at="arroba", dot="punto", slash="barra", dash="guion", underscore="guion bajo", number="número",
        section="sección", squared="al cuadrado", cubed="al cubo", plus_minus="más o menos", less="menor que",
        greater="mayor que", divided="entre", permille="por mil",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "EUR": Money("euro|euros", "céntimo|céntimos"),
        "USD": Money("dólar|dólares", "centavo|centavos"),
        "MXN": Money("peso mexicano|pesos mexicanos", "centavo|centavos"),
        "GBP": Money("libra|libras", "penique|peniques", "f"),
        "JPY": Money("yen|yenes"),
        "CNY": Money("yuan|yuanes"),
        "RUB": Money("rublo|rublos", "kopek|kopeks"),
    }
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {
        "M": ("millón|millones", "m"), "millón": ("millón|millones", "m"), "millones": ("millón|millones", "m"),
        "mill.": ("millón|millones", "m"), "mil": ("mil", "m"),
    }  # fmt: skip
    scale_link = "de"
    abbreviations: ClassVar[dict[str, str]] = {
        "Sr.": "señor", "Sra.": "señora", "Srta.": "señorita", "Sres.": "señores", "Dr.": "doctor", "Dra.": "doctora",
        "D.ª": "doña", "Prof.": "profesor", "Ud.": "usted", "Uds.": "ustedes", "p. ej.": "por ejemplo",
        "p.ej.": "por ejemplo", "etc.": "etcétera", "EE. UU.": "Estados Unidos", "EE.UU.": "Estados Unidos",
        "a. C.": "antes de Cristo", "d. C.": "después de Cristo", "a. m.": "a eme", "p. m.": "pe eme",
        "aprox.": "aproximadamente", "Avda.": "avenida", "Av.": "avenida", "Ing.": "ingeniero", "Lic.": "licenciado",
        "admón.": "administración", "dpto.": "departamento", "Dpto.": "Departamento", "máx.": "máximo",
        "mín.": "mínimo", "Cía.": "compañía", "c/": "calle", "tel.": "teléfono", "vs.": "versus",
    }  # fmt: skip
    before_number: ClassVar[dict[str, str]] = {
        "n.º": "número", "N.º": "Número", "nº": "número", "Nº": "Número", "núm.": "número", "Núm.": "Número",
        "pág.": "página", "págs.": "páginas", "p.": "página", "pp.": "páginas", "cap.": "capítulo",
        "vol.": "volumen", "art.": "artículo", "fig.": "figura",
    }  # fmt: skip
    may_end = frozenset({"etc.", "EE. UU.", "EE.UU.", "a. C.", "d. C.", "a. m.", "p. m.", "Cía."})
    feminine_endings = ("a", "as", "ción", "ciones", "dad", "dades")
    feminine = frozenset({"veces", "vez", "mujeres", "noches", "partes", "clases"})
    masculine = word_set(
        "día días problema problemas mapa mapas sistema sistemas tema temas programa programas idioma idiomas planeta "
        "planetas poema poemas clima climas"
    )
    not_counted = word_set(
        "y o de del en a al por para con que más menos es son era eran fue ni el la los las se me te su sus un una "
        "como mil millón millones pero si cuando desde hasta entre sobre sin según ha han había hay está"
    )
    fractions: ClassVar[dict[int, tuple[str, str]]] = {
        2: ("medio", "medios"), 3: ("tercio", "tercios"), 4: ("cuarto", "cuartos"), 5: ("quinto", "quintos"),
        6: ("sexto", "sextos"), 7: ("séptimo", "séptimos"), 8: ("octavo", "octavos"), 9: ("noveno", "novenos"),
        10: ("décimo", "décimos"),
    }  # fmt: skip
    and_a_half = "y medio"
    century = r"\b[Ss]iglos? (?P<roman>[IVX]+)\b"

    def cardinal(self, number: int) -> str:
        words = in_words(number, "es")
        words = re.sub(r"veintiuno (?=mil)", "veintiún ", words)
        return re.sub(r"\buno (?=mil)", "un ", words)

    def counted(self, number: int, gender: Gender) -> str:
        words = self.cardinal(number)
        if gender == "f":
            return re.sub(r"uno$", "una", re.sub(r"(cient|quinient)os\b", r"\1as", words))
        return re.sub(r"uno$", "un", re.sub(r"veintiuno$", "veintiún", words))

    def percent(self, number: str) -> str:
        return f"{number} por ciento"

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{self.cardinal(day)} de {self.month_name(month)}"
        return words if year is None else f"{words} de {self.cardinal(year)}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = self.counted(hour, "f")
        if minute:
            words += f" y {self.cardinal(minute)}"
        elif marked:
            words += " horas" if hour != 1 else " hora"
        return words if not second else f"{words} y {self.cardinal(second)} segundos"

    def ordinal(self, number: int, gender: Gender) -> str:
        words = _ORDINALS.get(number) or in_words(number, "es", "ordinal")
        return re.sub(r"o\b", "a", words) if gender == "f" else words

    def own_rules(self, text: Tracked) -> None:
        super().own_rules(text)
        text.sub(re.compile(r"\b(\d{1,3})\.?(º|°(?= [a-zà-ú]{3})|ª|er|ro|do|to|ra|da|ta)(?!\w)"), self._ordinal)

    def _ordinal(self, match: re.Match[str]) -> str | None:
        if match[1] == "0" or (match[2] == "°" and int(match[1]) > _LARGEST_DEGREE_ORDINAL):
            return None
        feminine = match[2] in ("ª", "ra", "da", "ta")
        words = self.ordinal(int(match[1]), "f" if feminine else "m")
        shortened = match[2] == "er" or (match[2] == "º" and match.string[match.end() :][:2].strip().isalpha())
        return words[:-1] if shortened and words.endswith(("primero", "tercero")) else words
