"""Translation of all texts on the screen by `_`; sentences of the engine are translated where they are shown.

Catalogues are gettext files of the domain `sudoku-tui`, looked for in `tui/locale`; without one, English.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from engine.text import count
from engine.view import Sentence
from tui import PROGRAM

GAP = "   "
"""Separates the pieces of a sentence, which are translated one by one."""
SIGN = "key_"
"""Prefix of the fields of a message that hold the keys of an action: `{key_go_to}`."""


@cache
def _catalogue() -> gettext.NullTranslations:
    return gettext.translation(PROGRAM, Path(__file__).parent / "locale", _languages(), fallback=True)


def _languages() -> list[str]:
    """The languages of the locale, as gettext finds them, without names that would lead to another folder."""
    given = (os.environ.get(name, "") for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    return [each for each in next(filter(None, given), "").split(":") if each and os.sep not in each]


def _(text: str) -> str:
    """`text` in the language of the locale; unchanged without a translation."""
    return _catalogue().gettext(text) if text else ""


def steps_text(steps: int) -> str:
    """`1 step`, `2 000 steps`."""
    return _("1 step") if steps == 1 else _("{steps} steps").format(steps=count(steps))


def translated(sentence: Sentence) -> Sentence:
    """The sentence with badge and template in the language of the locale and the same fields.

    A template may be translated whole or piece by piece. A translation that names a field that the sentence does not
    have is not used.
    """
    template, brief = (_template(each, sentence.fields) for each in (sentence.template, sentence.brief))
    return Sentence(_(sentence.badge), template, sentence.fields, brief)


def _template(template: str, fields: Mapping[str, str]) -> str:
    whole = _(template)
    found = whole if whole != template else GAP.join(_(each) for each in template.split(GAP))
    return found if _names(found) <= set(fields) else template


def _names(template: str) -> set[str]:
    """The fields of a template; of an invalid one, a field that no sentence has."""
    try:
        return {name for _text, name, _spec, _conversion in Formatter().parse(template) if name is not None}
    except ValueError:
        return {""}
