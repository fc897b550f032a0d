"""Explanations of the panes of the Laboratory: the meaning of their words, with the values of the present step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine import text
from engine.events.population import name_of
from engine.glossary import GLOSSARY
from engine.puzzle import SYMBOLS, Puzzle
from engine.solver import AnySolver
from engine.text import count
from engine.view import (
    MOST_SHOWN,
    AutomatonPanel,
    CountsPanel,
    Gauge,
    ListPanel,
    Pair,
    Part,
    PencilRole,
    PopulationPanel,
    Sections,
    Sentence,
    StackPanel,
    TablePanel,
    View,
    population_in,
)
from tui.i18n import GAP, _
from tui.look.glyphs import UNICODE
from tui.playback.snapshot import Snapshot, energy_gauges
from tui.screens.dialogs.pager import SENTENCE, Pages, paged
from tui.screens.hints import HINT_WORDS
from tui.screens.run.layout import PaneName
from tui.screens.run.presenter import VerdictKind, marks_shown
from tui.widgets.board.cell import MIDDLE
from tui.widgets.board.mark_help import MARKS, marks_on
from tui.widgets.chance import Chance
from tui.widgets.rows import Space, Span, row
from tui.widgets.text import broken

TERM, VALUE = 20, 13
"""Columns of a term and of its value."""

TITLES: Mapping[PaneName, str] = {
    "verdict": "Verdict", "board": "Board", "gauges": "Gauges", "chance": "Chance", "program": "Program", "log": "Log",
    "panel": "Panel", "heading": "Timeline",
}
"""The panes that can be explained, in the order of their keys in the help."""


class Term(Struct, frozen=True):
    """A word of a pane, its value at the present step (empty: none) and its meaning."""

    name: str
    value: str
    meaning: str


class Explanation(Struct, frozen=True):
    """The explanation of a pane."""

    title: str
    about: str
    terms: Sequence[Term] = ()


class Moment(Struct, frozen=True):
    """All that explanations are made of."""

    snapshot: Snapshot
    solver: AnySolver
    puzzle: Puzzle
    sentence: Sentence | None
    """The sentence of the verdict line."""
    gauges: Sequence[Gauge]
    chance: Chance | None
    shown: View | None = None
    """The view on the board, if it is not that of the snapshot."""
    kind: VerdictKind = "step"
    """The kind of `sentence`."""
    hint: bool = False
    """`shown` is the board of a hint."""
    pencilled: bool = True
    """The board shows candidates."""
    letters: bool = False
    """The board has values above 9, written as letters."""
    other_grid: str = ""
    """The name and the E of the grid on the board, if it is not that of an individual."""
    mark: str = "[]"
    """The mark of the individual on the board, in its panel."""
    help_key: str = "?"

    @property
    def on_board(self) -> View:
        """The view on the board, with the marks that are drawn."""
        view = self.snapshot.view if self.shown is None else self.shown
        return replace(view, marks=marks_shown(self.snapshot, view), pencils=view.pencils if self.pencilled else {})

    @property
    def individual(self) -> str:
        """The noun and the name of the individual that the view of the snapshot is of; empty without a population."""
        panel = population_in(self.snapshot.view.panel)
        return "" if panel is None or panel.current is None else f"{_(panel.word)} {name_of(panel.current)}"


def explained(moment: Moment) -> dict[PaneName, Explanation]:
    """The explanations of the panes that this run has, in the order of their keys."""
    makers = {"verdict": _verdict, "board": _board, "gauges": _gauges, "chance": _chance, "program": _program,
              "log": _log, "panel": _panel, "heading": _timeline}
    found = {name: makers[name](moment) for name in TITLES}
    return {name: each for name, each in found.items() if each is not None}


def meaning(solver: AnySolver, label: str) -> str:
    """The meaning of a label of a gauge or a curve, as a sentence; empty if unknown."""
    energies = {channel.label for channel in solver.channels if channel.role == "energy"}
    known = solver.glossary.get(label) or GLOSSARY.get(label)
    if known is None and (label == "E" or label in energies):
        known = _("the energy: {what}").format(what=_(solver.energy_counts))
    return "" if known is None else f"{_(known)[0].upper()}{_(known)[1:]}."


def pages(shown: Explanation, step: int, space: Space) -> Pages:
    """An explanation in pages. `step`: that of the values."""
    glyphs, across = space.glyphs, min(space.width - 4, SENTENCE)
    lines: list[list[Span]] = [[(glyphs.text(shown.title), "strong"),
                                (f"   {_('at step {step}').format(step=count(step))}", "muted")]]
    lines += [[(line, "text")] for line in broken(glyphs.text(shown.about), across)]
    for term in shown.terms:
        lines.append([])
        head = f"{glyphs.text(term.name):<{TERM - 1}} "
        value = f"{glyphs.text(term.value):<{VALUE - 2}}  "
        room = across - len(head) - len(value)
        first, *more = broken(glyphs.text(term.meaning), room) if room >= TERM else [""]
        lines.append([(head, "strong"), (value, "data_strong"), (first, "text")])
        lines += [[(" " * (len(head) + len(value)), "blank"), (line, "text")] for line in more]
        if room < TERM:
            lines += [[("  ", "blank"), (line, "text")] for line in broken(glyphs.text(term.meaning), across - 2)]
    return paged([row((("  ", "blank"), *spans), space.width) for spans in lines], space.height)


# One function for each pane


def _verdict(moment: Moment) -> Explanation:
    about = _("The badge names what happened at this step, the sentence gives its numbers. Messages of the program "
              "have a plain badge.")
    sentence, because = moment.sentence, moment.snapshot.readout.because
    if sentence is not None and moment.kind == "summary":
        return _fast(moment, sentence)
    terms = [] if sentence is None else [Term(sentence.badge, "", "; ".join(sentence.text.split(GAP)))]
    if because is not None and moment.kind == "step":  # a message has no reason, and that of the step is not its own
        terms.append(Term(_("why"), "", because.text))
    return Explanation(_("Verdict"), about, terms)


def _fast(moment: Moment, summary: Sentence) -> Explanation:
    """The verdict of a run that plays too fast for its steps to be read."""
    solver = moment.solver
    of_steps = any(name.startswith("of") for name in summary.fields)
    about = _("The run plays too fast for single steps to be read, so the line sums them up.") + " " + (
        _("The last numbers, and the bars beside the program, are of the steps named there; the others are those of "
          "this step.") if of_steps else
        _("The bars beside the program are of the steps named there; the numbers are those of this step.")
        if "first" in summary.fields else _("The numbers are those of this step."))
    terms = [Term(summary.badge, "", summary.text)]
    terms += [Term(_(channel.label), "", meaning(solver, channel.label))
              for channel in solver.channels_for(moment.snapshot.params)]
    if of_steps and "uphill" in solver.jumps(moment.snapshot.params):
        terms.append(Term(_("uphill"), "", _("The share of those steps that accept a worse grid.")))
    return Explanation(_("Verdict"), about, terms)


def _board(moment: Moment) -> Explanation:
    view, puzzle = moment.on_board, moment.puzzle
    conflicts = view.marks.get("conflict", ())
    terms = [Term(_("given"), str(puzzle.n**2 - len(puzzle.free_cells)), _("Bold; no solver changes it.")),
             Term(_("free"), str(len(puzzle.free_cells)), _("The values in them are of the run, or follow from earlier "
                                                           "hints.") if moment.hint else
                  _("The cells that the solver fills."))]
    if moment.letters:
        terms.append(Term(_("A to {letter}").format(letter=SYMBOLS[puzzle.n]), "", _(
            "The values 10 to {n}, which sentences and lists write as numbers.").format(n=puzzle.n)))
    if not moment.hint:
        diagonal = puzzle.variant == "diagonal"
        terms.append(Term(_("in conflict"), str(len(conflicts)), (
            _("Its value appears more than once in a row, a column, a box or a diagonal.") if diagonal else
            _("Its value appears more than once in a row, a column or a box.")) + " " + _(
                "Marked with ! and underlined.")))
    terms += [Term(*each) for each in marks_on(view, moment.solver, puzzle, HINT_WORDS if moment.hint else None)]
    barren = sum(not value and not left for value, left in zip(view.grid, view.candidates or (), strict=False))
    if barren:
        terms.append(Term(_(MARKS["none"].sign), count(barren), _(MARKS["none"].meaning)))
    if view.units:
        names = ", ".join(puzzle.geometry.units[unit].name for unit in view.units)
        within = _("They are in a unit that the hint is about: {names}.") if moment.hint else _(MARKS["unit"].meaning)
        terms.append(Term(_(MARKS["unit"].sign), "", within.format(names=names)))
    of_hint: Mapping[PencilRole, str] = {"struck": _("Candidates that the hint removes."),
                                         "support": _("Candidates that are a reason of the hint.")}
    for role, pairs in _pencils_drawn(view).items():
        meaning = of_hint[role] if moment.hint else _(MARKS[role].meaning)
        terms += [Term(_(MARKS[role].sign), str(len(pairs)), meaning)] if pairs else []
    if moment.pencilled and (alone := _alone_in_the_middle(view)):
        terms.append(Term(f"·{MIDDLE}·", str(alone), _("The only candidate of its cell, in the middle: no value yet.")))
    if _has_bars(view):
        terms.append(Term(_(MARKS["heat"].sign), "", _(MARKS["heat"].meaning)))
    if puzzle.variant == "diagonal":
        terms.append(Term(_(MARKS["diagonal"].sign), "", _(MARKS["diagonal"].meaning)))
    listed = _("{help} lists the marks of all solvers.").format(help=moment.help_key)
    return Explanation(_("Board"), f"{_grid_shown(moment)} {listed}", terms)


def _grid_shown(moment: Moment) -> str:
    """The origin of the grid on the board, as a sentence."""
    if moment.hint:
        return _("The board of the hint, which is not that of this step.")
    if moment.snapshot.returns:
        returned = _("The best grid, which the run returned at its end.")
        if moment.on_board.marks.get("core"):
            returned += " " + _("The cells of a contradiction are marked where it has the values of the last state.")
        return returned
    if moment.other_grid:
        return _("The grid {grid}, in place of that of {who}.").format(
            grid=moment.other_grid.partition(GAP)[0], who=moment.individual)
    if moment.snapshot.opened is not None:
        return _("The grid of {who}, which was opened, after this step.").format(who=moment.individual)
    if moment.snapshot.tempo == "fast" and population_in(moment.snapshot.view.panel) is not None:
        return _("The grid of the best individual: above 30 steps a second that of each step would flicker.")
    return _("The grid at this step, before the search leaves it.") if _is_left(moment) else _(
        "The grid after this step.")


def _is_left(moment: Moment) -> bool:
    """Test for a step that judges a state and leaves it, which the panes show: a dead end or a local minimum."""
    kinds = {kind for event in moment.snapshot.events for kind in event.kinds}
    return not kinds.isdisjoint(("contradiction", "minimum"))


def _has_bars(view: View) -> bool:
    """Test for a cell with a bar of heat. Moved cells and their partners have brackets in its place, a tabu cell the
    time of its ban."""
    covered = {cell for role in ("moved", "partner", "tabu") for cell in view.marks.get(role, ())}
    return any(heat > 0 for cell, heat in enumerate(view.heat or ()) if cell not in covered)


def _pencils_drawn(view: View) -> dict[PencilRole, list[Pair]]:
    """The coloured candidates on the board, by role: those of empty cells that have candidates left. One on the yellow
    of a moved cell, or that was struck, is not blue."""
    candidates = view.candidates or (0,) * len(view.grid)
    found: dict[PencilRole, list[Pair]] = {
        role: [(cell, value) for cell, value in view.pencils.get(role, ()) if not view.grid[cell] and candidates[cell]]
        for role in ("struck", "support")}
    moved = view.marks.get("moved", ())
    found["support"] = [(cell, value) for cell, value in found["support"] if candidates[cell] >> value - 1 & 1
                        and cell not in moved and (cell, value) not in found["struck"]]
    return found


def _alone_in_the_middle(view: View) -> int:
    """The number of cells whose only candidate stands where a value would."""
    struck = {cell for cell, _value in view.pencils.get("struck", ())}
    return sum(mask == 1 << MIDDLE - 1 and not value and cell not in struck
               for cell, (mask, value) in enumerate(zip(view.candidates or (), view.grid, strict=False)))


OF_INDIVIDUAL = ("E", "own", "r₁", "r₂")
"""The labels of gauges that are of an individual; the others are of its population."""


def _gauges(moment: Moment) -> Explanation:
    terms = [Term(_(gauge.label), gauge.text, meaning(moment.solver, gauge.label) + (
        " " + _("The bar is a log scale from T_min to T₀.")
        if gauge.role == "knob" and gauge.share is not None else "")) for gauge in moment.gauges]
    returns, view = moment.snapshot.returns, moment.snapshot.view
    about = (_("E is that of the best grid, which the run returns; the other numbers are of its last state;")
             if returns and energy_gauges(view, moment.solver.channels) else
             _("The numbers of the last state; the board has the best grid, which the run returns;") if returns else
             _("The numbers of the state at this step, before the search leaves it;") if _is_left(moment) else
             _("The numbers of the state after this step;")) + " " + _("a bar shows the share of a range.")
    own = [_(gauge.label) for gauge in moment.gauges if gauge.label in OF_INDIVIDUAL]
    if moment.individual and own:
        which = _(", which was opened") if moment.snapshot.opened is not None else ""
        about += " " + _("Of {who}{which}: {labels}. The others are of the whole population.").format(
            who=moment.individual, which=which, labels=", ".join(own))
    if moment.snapshot.playhead in moment.snapshot.history.marks.get("hand", ()):
        about += " " + _("A limit that was set by hand after this step is in Setup now, and in a gauge from the next "
                         "step on.")
    return Explanation(_("Gauges"), about, terms)


def _chance(moment: Moment) -> Explanation | None:
    if not any(channel.role == "temperature" for channel in moment.solver.channels):
        return None
    about = _("The test of a move that does not make the grid better (Metropolis): it is accepted if the random number "
              "u is below p = e^(−ΔE/T). The block is p, the arrow is u. A move that lowers E needs no test, nor by "
              "most rules does one that leaves E as it is. Numbers are shown with three digits; p is computed from all "
              "digits of T.")
    chance = moment.chance
    if chance is None:
        return Explanation(_("Chance"), about, [Term(_("this step"), "", _("No move is judged at this step."))])
    relation, p, u = ("=", text.significant(chance.p), text.NONE) if chance.u is None else (
        text.chance(chance.p, chance.u))
    terms = [Term("p", p if relation == "=" else f"{relation} {p}", _("The probability of accepting this move.")),
             Term("u", u, _("The random number drawn for it, from 0 to 1; – without a test."))]
    if chance.delta is not None:
        terms.insert(0, Term("ΔE", text.signed(chance.delta), _("The change of E that the move makes.")))
    return Explanation(_("Chance"), about, terms)


def _program(moment: Moment) -> Explanation:
    readout = moment.snapshot.readout
    terms = [Term(_("line {number}").format(number=number), readout.live.get(line.id, ""),
                  line.text.strip() + (_("   (this step)") if line.id == readout.line else ""))
             for number, line in enumerate(moment.solver.program_for(moment.snapshot.params), 1)
             if line.id == readout.line or line.id in readout.live]
    about = _("The algorithm in pseudo-code. The line that this step came to is highlighted; values at the right are "
              "those of this step. Above 30 steps a second, bars show how many of the steps that the verdict names "
              "came to each line; playing backwards there are none.")
    return Explanation(_("Program"), about, terms)


def _log(moment: Moment) -> Explanation:
    about = _("The last steps, newest first: step, sign, what was done, and, of a move or an individual, the change of "
              "E and E after it. Above 30 steps a second only rare events are listed.")
    return Explanation(_("Log"), about)


PANELS: Mapping[type[Part], str] = {
    StackPanel: "The open choices of the search, the newest first: the values tried before, the one tried now, and "
                "those left. A choice that was just taken back is listed without a value until its next one is tried. "
                "▶ is the newest one, ▷ the one that you selected.",
    PopulationPanel: "Every {word}, by its errors. {mark} is {which}. Without room for all, neighbours share a cell, "
                     "which shows the best of them and only one mark. The numbers at the left are places in the "
                     "population; sorted by E, ranks.",
    ListPanel: "{about}",
    TablePanel: "{about}",
    CountsPanel: "The columns of the exact cover by how many choices they have left. A column without choices is a "
                 "dead end.",
    AutomatonPanel: "An automaton reads the cells of its unit. Each letter leads to the next state; a repeated value "
                    "has no transition, and the word is rejected.",
}


def _panel(moment: Moment) -> Explanation | None:
    panel = moment.snapshot.view.panel
    if panel is None:
        return None
    parts = panel.parts if isinstance(panel, Sections) else (panel,)
    terms = [Term(_(part.title), _extent(part), _about(part, moment)) for part in parts]
    return Explanation(_(panel.title), _("The data of the solver at this step."), [*terms, *_own_words(moment)])


def _about(part: Part, moment: Moment) -> str:
    words = {"word": part.word, "mark": moment.mark, "which": _which(moment)} if isinstance(
        part, PopulationPanel) else {}
    if isinstance(part, ListPanel | TablePanel):
        words["about"] = part.about
    about = [_(PANELS[type(part)]).format(**{name: _(word) for name, word in words.items()})]
    if isinstance(part, PopulationPanel) and part.each > 1:
        about.append(_("Above {most} individuals, {each} neighbours stay together: sorting puts these groups in order "
                       "of their best, without numbers, and E ≥ gives that best.").format(
                           most=count(MOST_SHOWN), each=part.each))
    if isinstance(part, PopulationPanel) and part.born:
        born = _("{born} of them are children of this generation, which join the population at its end.")
        if part.born == 1:
            born = _("{born} of them is a child of this generation, which joins the population at its end.")
        about.append(born.format(born=count(part.born)))
    if isinstance(part, PopulationPanel) and part.parents:
        about.append(_("A and B are its parents.") if len(part.parents) > 1 else _("A is its parent."))
    if isinstance(part, TablePanel) and part.now is not None:
        about.append(_("The row of this step is highlighted."))
    if isinstance(part, TablePanel) and part.core:
        about.append(_("Rows with ! are {meaning}.").format(meaning=_(part.core_means)))
    return " ".join(about)


def _which(moment: Moment) -> str:
    """The individual that is marked in the population, as a clause."""
    opened = moment.snapshot.opened is not None
    if moment.other_grid:
        template = _("the one that you opened; the board shows {grid} in its place") if opened else (
            _("that of the step; the board shows {grid} in its place"))
        return template.format(grid=moment.other_grid.partition(GAP)[0])
    if opened:
        return _("on the board: the one that you opened")
    return _("on the board: that of the step or, above 30 steps a second, the best")


def _own_words(moment: Moment) -> Iterator[Term]:
    """The words of the solver's glossary that are no gauge and no curve."""
    solver = moment.solver
    labels = {gauge.label for gauge in moment.gauges} | {channel.label for channel in solver.channels}
    for word in solver.glossary:
        if word not in labels:
            yield Term(_(word), "", meaning(solver, word))


def _extent(part: Part) -> str:
    """The size of a part, as far as it has one."""
    match part:
        case PopulationPanel(size=size):
            return count(size)
        case StackPanel(frames=frames):
            return count(sum(bool(value) for _cell, value, _tried, _left in frames))
    return ""


def _timeline(moment: Moment) -> Explanation:
    snapshot, solver = moment.snapshot, moment.solver
    ends = f"{count(snapshot.window.low)} – {count(snapshot.window.high)}"
    terms = [Term(_("axis"), ends, _("Steps. All of the axis is a power of two. When the run reaches the end of it, "
                                     "the axis doubles (×2), and what is drawn shrinks to the left half."))]
    for channel, value in zip(solver.channels_for(snapshot.params), snapshot.sample, strict=False):
        shown = text.share(value) if channel.role == "share" else (
            count(int(value)) if value.is_integer() and channel.role != "temperature" else text.significant(value))
        scale = ""
        if channel.role == "temperature":
            lane = (_("Its lane is a log scale between the two numbers at its right.") if channel.scale == "log" else
                    _("Its lane is linear between the two numbers at its right."))
            curve = _("Without room for a lane {sign} is its curve, behind that of E, and the axis at the right "
                      "its scale.")
            scale = f" {lane} {curve.format(sign=UNICODE.temperature)}"
        elif channel.role == "energy":
            scale = " " + _("In ASCII a label such as 1-30 is that of a row for all these values.")
        terms.append(Term(_(channel.label), shown, meaning(solver, channel.label) + scale))
    labels = {channel.role: _(channel.label) for channel in solver.channels_for(snapshot.params)}
    if {"energy", "best"} <= labels.keys():
        both = _("Where two curves share a character, its upper dots are {energy}, its lower ones {best}; in ASCII it "
                 "is a +.")
        terms.append(Term(_("both"), "", both.format(energy=labels["energy"], best=labels["best"])))
    if snapshot.rival is not None:
        terms.append(Term(UNICODE.rival, "", _("{energy} of another branch, where it is not that of this one.").format(
            energy=labels.get("energy", "E"))))
    about = _("All of the run, or the part that is zoomed in on, from left to right. The vertical line is the "
              "playhead; what was recorded beyond it is dimmed, and without colours its curves are left out. Click or "
              "drag to go to a step; the one under the pointer is named. The lane of signs marks rare events and, "
              "where a column is 20 steps or fewer, frequent ones such as uphill moves or dead ends.")
    if snapshot.returns:
        about += " " + (_("The curves end with the last grid; board and gauges show the best one, which is returned.")
                        if energy_gauges(snapshot.view, moment.solver.channels) else
                        _("The curves end with the last grid; the board shows the best one, which is returned."))
    elif _is_left(moment):
        about += " " + _("The numbers are of the state at this step; if the step leaves it, the curves go on with the "
                         "next one.")
    return Explanation(_("Timeline"), about, terms)
