"""Portuguese as in Brazil: um and uma, dois and duas, and the hundreds agree; the hours are feminine."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Money, Number, Signs, in_words, word_set
from engine.text.normalize.languages.romance import Romance
from engine.text.normalize.tracked import Tracked

_LARGEST_DEGREE_ORDINAL = 10  # "5° posto"; "25°" is a temperature


class Portuguese(Romance):
    name = "portuguese"
    locale = "pt"
    converter = "pt_BR"
    cents_joined_by = "e"
    signs = Signs(
        point="vírgula", minus="menos", plus="mais", to="a", equals="igual a", times="vezes", and_="e",
        about="cerca de", at="arroba", dot="ponto", slash="barra", dash="hífen", underscore="sublinhado",
        number="número", section="seção", squared="ao quadrado", cubed="ao cubo", plus_minus="mais ou menos",
        less="menor que", greater="maior que", divided="dividido por", permille="por mil",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "BRL": Money("real|reais", "centavo|centavos"),
        "EUR": Money("euro|euros", "cêntimo|cêntimos"),
        "USD": Money("dólar|dólares", "centavo|centavos"),
        "GBP": Money("libra|libras", "pêni|pence", "f"),
        "JPY": Money("iene|ienes"),
        "CNY": Money("yuan|yuans"),
        "CHF": Money("franco suíço|francos suíços", "cêntimo|cêntimos"),
        "RUB": Money("rublo|rublos", "copeque|copeques"),
    }
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {
        "mi": ("milhão|milhões", "m"), "milhão": ("milhão|milhões", "m"), "milhões": ("milhão|milhões", "m"),
        "bi": ("bilhão|bilhões", "m"), "bilhão": ("bilhão|bilhões", "m"), "bilhões": ("bilhão|bilhões", "m"),
        "mil": ("mil", "m"),
    }  # fmt: skip
    scale_link = "de"
    abbreviations: ClassVar[dict[str, str]] = {
        "Sr.": "senhor", "Sra.": "senhora", "Srta.": "senhorita", "Dr.": "doutor", "Dra.": "doutora",
        "Prof.": "professor", "Profa.": "professora", "Eng.": "engenheiro", "etc.": "et cetera",
        "p. ex.": "por exemplo", "p.ex.": "por exemplo", "Exmo.": "excelentíssimo", "Av.": "avenida",
        "a.C.": "antes de Cristo", "d.C.": "depois de Cristo", "a. C.": "antes de Cristo",
        "d. C.": "depois de Cristo", "aprox.": "aproximadamente", "máx.": "máximo", "mín.": "mínimo",
        "Ltda.": "limitada", "Cia.": "companhia", "tel.": "telefone", "Tel.": "telefone", "vs.": "versus",
        "Jr.": "júnior", "séc.": "século", "V. Exa.": "vossa excelência", "EUA": "Estados Unidos",
    }  # fmt: skip
    before_number: ClassVar[dict[str, str]] = {
        "n.º": "número", "nº": "número", "N.º": "Número", "Nº": "Número", "n°": "número", "pág.": "página",
        "págs.": "páginas", "p.": "página", "pp.": "páginas", "cap.": "capítulo", "art.": "artigo",
        "fig.": "figura", "vol.": "volume",
    }  # fmt: skip
    may_end = frozenset({"etc.", "a.C.", "d.C.", "a. C.", "d. C.", "Ltda.", "Cia.", "Jr."})
    feminine_endings = ("a", "as", "ção", "ções", "dade", "dades", "gem", "gens")
    feminine = frozenset({"vezes", "vez", "mulheres", "noites", "partes", "classes", "mulher"})
    masculine = word_set(
        "dia dias problema problemas mapa mapas sistema sistemas tema temas programa programas idioma idiomas planeta "
        "planetas grama gramas quilograma quilogramas miligrama miligramas poema poemas"
    )
    not_counted = word_set(
        "e ou de do da dos das em no na a ao à por para com que mais menos é são era eram foi mas se o os as um uma "
        "como mil milhão milhões entre sem sobre há até está"
    )
    fractions: ClassVar[dict[int, tuple[str, str]]] = {
        2: ("meio", "meios"), 3: ("terço", "terços"), 4: ("quarto", "quartos"), 5: ("quinto", "quintos"),
        6: ("sexto", "sextos"), 7: ("sétimo", "sétimos"), 8: ("oitavo", "oitavos"), 9: ("nono", "nonos"),
        10: ("décimo", "décimos"),
    }  # fmt: skip
    and_a_half = "e meio"
    century = r"\b(?:[Ss]éculos?|[Ss]éc\.) (?P<roman>[IVX]+)\b"

    def counted(self, number: int, gender: Gender) -> str:
        words = self.cardinal(number)
        if gender != "f":
            return words
        words = re.sub(r"(duzent|trezent|quatrocent|quinhent|seiscent|setecent|oitocent|novecent)os\b", r"\1as", words)
        return re.sub(r"\bum$", "uma", re.sub(r"\bdois$", "duas", words))

    def form(self, number: Number, forms: str) -> str:
        return forms.split("|")[0] if 1 <= number.value < 2 else super().form(number, forms)

    def percent(self, number: str) -> str:
        return f"{number} por cento"

    def century_words(self, number: int) -> str:
        return self.ordinal(number, "m") if number <= 10 else self.cardinal(number)

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{'primeiro' if day == 1 else self.cardinal(day)} de {self.month_name(month)}"
        return words if year is None else f"{words} de {self.cardinal(year)}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = self.counted(hour, "f")
        if minute:
            words += f" e {self.cardinal(minute)}"
        else:
            words += " hora" if hour == 1 else " horas"
        return words if not second else f"{words} e {self.cardinal(second)} segundos"

    def ordinal(self, number: int, gender: Gender) -> str:
        words = in_words(number, "pt_BR", "ordinal")
        return re.sub(r"o\b", "a", words) if gender == "f" else words

    def own_rules(self, text: Tracked) -> None:
        super().own_rules(text)
        months = "|".join(self.month_name(n) for n in range(1, 13))
        text.sub(re.compile(rf"\b1(?= de (?:{months})\b)"), "primeiro")
        text.sub(re.compile(r"\b(\d{1,3})\.?(º|°(?= [a-zà-ú]{3})|ª|o|a)(?!\w)(?! ?[CF]\b)"), self._ordinal)

    def _ordinal(self, match: re.Match[str]) -> str | None:
        if match[1] == "0" or (match[2] == "°" and int(match[1]) > _LARGEST_DEGREE_ORDINAL):
            return None
        return self.ordinal(int(match[1]), "f" if match[2] in "ªa" else "m")
