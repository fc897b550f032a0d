"""Translation. Every text of the screen goes through `_`; sentences of the engine are translated where they are shown.

Catalogues are gettext files of the domain `sudoku-tui`, looked for in `tui/locale`; without one, English.
"""

from __future__ import annotations

import gettext
import os
from functools import cache
from pathlib import Path
from string import Formatter

from engine.view import Sentence
from tui import PROGRAM

GAP = "   "
"""Three spaces part the pieces of a sentence; each piece is a text of its own for translators."""
SIGN = "key_"
"""Fields of a notice that begin so stand for the keys of an action: `{key_go_to}`."""


@cache
def _catalogue() -> gettext.NullTranslations:
    return gettext.translation(PROGRAM, Path(__file__).parent / "locale", _languages(), fallback=True)


def _languages() -> list[str]:
    """The languages of the locale, as gettext finds them; a name that would lead to another folder is none."""
    given = (os.environ.get(name, "") for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    return [each for each in next(filter(None, given), "").split(":") if each and os.sep not in each]


def _(text: str) -> str:
    """`text` in the language of the locale, or as it is."""
    return _catalogue().gettext(text) if text else ""


def translated(sentence: Sentence) -> Sentence:
    """The sentence with badge and template in the language of the locale; the fields stay what they are.

    A template may be translated whole or piece by piece. A translation that names a field that the sentence does not
    have is not used.
    """
    whole = _(sentence.template)
    template = whole if whole != sentence.template else GAP.join(_(each) for each in sentence.template.split(GAP))
    if not _names(template) <= set(sentence.fields):
        template = sentence.template
    return Sentence(_(sentence.badge), template, sentence.fields)


def _names(template: str) -> set[str]:
    """The fields that a template asks for; one that cannot be read asks for an impossible one."""
    try:
        return {name for _text, name, _spec, _conversion in Formatter().parse(template) if name is not None}
    except ValueError:
        return {""}
