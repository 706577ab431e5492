"""French: hours are a unit in the middle of a time, prices put euros there; phone numbers go by twos."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Money, Number, Signs, in_words, word_set
from engine.text.normalize.languages.romance import Romance, roman
from engine.text.normalize.tracked import Tracked


class French(Romance):
    name = "french"
    locale = "fr"
    converter = "fr"
    cents_joined_by = ""
    says_cents = False
    signs = Signs(
        point="virgule", minus="moins", plus="plus", to="à", equals="égale", times="fois", and_="et", about="environ",
        at="arobase", dot="point", slash="barre oblique", dash="tiret", underscore="tiret bas", number="numéro",
        section="paragraphe", squared="au carré", cubed="au cube", plus_minus="plus ou moins", less="inférieur à",
        greater="supérieur à", divided="divisé par", permille="pour mille",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "EUR": Money("euro|euros", "centime|centimes"),
        "USD": Money("dollar|dollars", "cent|cents"),
        "GBP": Money("livre|livres", "penny|pence", "f"),
        "CHF": Money("franc|francs", "centime|centimes"),
        "JPY": Money("yen|yens"),
        "CNY": Money("yuan|yuans"),
        "RUB": Money("rouble|roubles", "kopeck|kopecks"),
    }
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {
        "M": ("million|millions", "m"), "million": ("million|millions", "m"), "millions": ("million|millions", "m"),
        "Md": ("milliard|milliards", "m"), "Mds": ("milliard|milliards", "m"), "milliard": ("milliard|milliards", "m"),
        "milliards": ("milliard|milliards", "m"), "k": ("mille", "m"),
    }  # fmt: skip
    scale_link = "de"
    abbreviations: ClassVar[dict[str, str]] = {
        "M.": "monsieur", "MM.": "messieurs", "Mme": "madame", "Mmes": "mesdames", "Mlle": "mademoiselle",
        "Dr": "docteur", "Dr.": "docteur", "Pr": "professeur", "Pr.": "professeur", "Me": "maître",
        "etc.": "et cetera", "p. ex.": "par exemple", "p.ex.": "par exemple", "c.-à-d.": "c'est-à-dire",
        "env.": "environ", "av. J.-C.": "avant Jésus-Christ", "apr. J.-C.": "après Jésus-Christ",
        "av.": "avenue", "bd.": "boulevard", "St": "saint", "Ste": "sainte", "max.": "maximum", "min.": "minimum",
        "tél.": "téléphone", "Tél.": "téléphone", "cf.": "confer", "Cie": "compagnie", "vs": "contre",
    }  # fmt: skip
    before_number: ClassVar[dict[str, str]] = {
        "n°": "numéro", "N°": "Numéro", "nº": "numéro", "no.": "numéro", "p.": "page", "pp.": "pages",
        "chap.": "chapitre", "art.": "article", "fig.": "figure", "vol.": "volume", "t.": "tome",
    }  # fmt: skip
    may_end = frozenset({"etc.", "av. J.-C.", "apr. J.-C."})
    feminine = word_set(
        "heure heures minute minutes seconde secondes milliseconde fois personne personnes semaine semaines année "
        "années page pages journée nuit nuits fille filles femme femmes voiture voitures maison maisons livre livres "
        "tonne tonnes calorie calories kilocalorie kilocalories once onces pièce pièces question questions place "
        "places ville villes bouteille bouteilles tasse tasses table tables chambre chambres étoile étoiles partie "
        "parties lettre lettres ligne lignes carte cartes histoire histoires"
    )
    not_counted = word_set(
        "et ou de du des d en à au aux par pour avec que plus moins est sont était mais si le la les un une comme dans "
        "sur sans ne se ce qui mille million millions a ont il elle on"
    )
    fractions: ClassVar[dict[int, tuple[str, str]]] = {
        2: ("demi", "demis"), 3: ("tiers", "tiers"), 4: ("quart", "quarts"), 5: ("cinquième", "cinquièmes"),
        6: ("sixième", "sixièmes"), 7: ("septième", "septièmes"), 8: ("huitième", "huitièmes"),
        9: ("neuvième", "neuvièmes"), 10: ("dixième", "dixièmes"),
    }  # fmt: skip
    and_a_half = "et demi"

    def counted(self, number: int, gender: Gender) -> str:
        words = self.cardinal(number)
        return re.sub(r"\bun$", "une", words) if gender == "f" else words

    def of_scale(self, words: str, noun: str) -> str:
        return f"{words} d'{noun}" if noun[0].lower() in "aeiouyéèêh" else f"{words} de {noun}"

    def form(self, number: Number, forms: str) -> str:
        return forms.split("|")[0] if abs(number.value) < 2 else super().form(number, forms)

    def percent(self, number: str) -> str:
        return f"{number} pour cent"

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{'premier' if day == 1 else self.cardinal(day)} {self.month_name(month)}"
        return words if year is None else f"{words} {self.cardinal(year)}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = f"{self.counted(hour, 'f')} heure{'' if hour < 2 else 's'}"
        if minute or second:
            words += f" {self.cardinal(minute)}"
        return words if not second else f"{words} et {self.counted(second, 'f')} seconde{'' if second < 2 else 's'}"

    def ordinal(self, number: int, gender: Gender) -> str:
        if number == 1:
            return "première" if gender == "f" else "premier"
        return in_words(number, "fr", "ordinal").replace("vingtsième", "vingtième")

    def own_rules(self, text: Tracked) -> None:
        text.sub(re.compile(r"\b([IVX]+)(?:ème|ième|er|e)(?= (?:siècle|arrondissement)s?\b)"), self._roman)
        text.sub(re.compile(r"\b(\d{1,4})(ers?|res?|ère|ème|èmes|ième|ièmes|es?|nde?)(?!\w)"), self._ordinal)

    def _roman(self, match: re.Match[str]) -> str:
        return self.ordinal(roman(match[1]), "m")

    def _ordinal(self, match: re.Match[str]) -> str | None:
        number, ending = int(match[1]), match[2]
        if number == 0 or (ending in ("er", "ers", "re", "res", "ère") and number != 1):
            return None
        if ending in ("nd", "nde"):
            return "second" if ending == "nd" else "seconde"
        words = self.ordinal(number, "f" if ending in ("re", "res", "ère") else "m")
        return f"{words}s" if ending.endswith("s") else words
