"""geco's native core: operators over row numbers"""

from collections.abc import Sequence
import enum
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class OutOfTime(Exception):
    pass

class Op(enum.IntEnum):
    """One step of a predicate, in postfix order."""

    CONSTANT = 0

    COLUMN = 1

    ADD = 2

    SUBTRACT = 3

    MULTIPLY = 4

    DIVIDE = 5

    NEGATE = 6

    EQ = 7

    NE = 8

    LE = 9

    LT = 10

    GE = 11

    GT = 12

    BOTH = 13

    EITHER = 14

class Feasible(enum.Enum):
    """Is there an allowed candidate that obeys every rule?"""

    UNKNOWN = 0
    """Not within the steps and seconds given."""

    NO = 1
    """That is proved."""

    YES = 2

class CascadeCounts:
    def __init__(self, space: Space) -> None: ...

    @property
    def repaired(self) -> int: ...

    @property
    def dropped(self) -> list[int]: ...

class Space:
    @staticmethod
    def build(groups: list[object], rules: list[object], columns: list[object], topological: Sequence[int], start: Sequence[int] | None = None) -> Space: ...

    @property
    def width(self) -> int: ...

    @property
    def start(self) -> list[int]: ...

    @property
    def x_obeys(self) -> bool:
        """x itself breaks no rule."""

    def choices(self, group: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Rows that may be chosen, nearest first."""

    def distance(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def first_broken(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Per candidate the first rule it breaks, NONE_BROKEN, or NOT_ALLOWED if a row of it may not be chosen.
        """

    def required(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int]:
        """Per changed group what first_broken says once that change is undone."""

    def facts(self, archive: Archive, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> list[Facts]:
        """What is to be said of each of these candidates."""

    def ways_to(self, answers: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[list[tuple[list[int], list[int]]], Annotated[NDArray[numpy.int32], dict(shape=(None, None))]]:
        """
        Per answer the order in which its groups can be changed, and what first_broken says of each candidate on the way; and all these candidates, answer by answer.
        """

    def left_out(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], way: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
        """
        Whether it contains a nearer way without halving every change that the two share.
        """

    def action_cascade(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: CascadeCounts) -> tuple[bool, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """Nearest repair."""

    def any_allowed(self, not_x: bool, steps: int, seconds: float = float('inf')) -> tuple[Feasible, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        Whether a candidate obeys every rule (one that is not x, if not_x), and where the answer is yes, which.
        """

    NONE_BROKEN: int = -1

    NOT_ALLOWED: int = -2

class Kept(enum.IntEnum):
    """What grounding left of a predicate."""

    DROPPED = 0
    """Nothing: it is true for this x."""

    WRITTEN = 1
    """The predicate."""

    MISSING = 2
    """Instead of x_cf.F = x.F that F stays missing."""

class Deployment:
    @staticmethod
    def build(tables: list[object], rules: list[object], topological: Sequence[int], norm: tuple[float, float, float, float, float], exact: Sequence[tuple[int, int, bool, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]] = [], held: int = 512) -> Deployment:
        """
        Tables of one ordered feature and more rows than `held` are worked out by place, not row by row.
        """

    def asked_with(self, kept: Sequence[int], rules: list[object], topological: Sequence[int], norm: tuple[float, float, float, float, float], settings: Sequence[tuple[Sequence[tuple[float, float, float, float, float, bool, bool]], float | None]], free: Sequence[bool]) -> Deployment:
        """
        The same tables with those of its rules that are kept, and new ones after them.
        """

    def space(self, x: Sequence[float], rules: Sequence[int], kept: bytes, constants: Sequence[float], steps: int, seconds: float = float('inf')) -> tuple[Space, list[int], list[tuple[int, int]], list[int], Feasible]:
        """
        The Space of x; the rows equal to x; broken local rules by group; groups without a choice; is it feasible?
        """

    def ground_space(self, grounds: Grounds, x: Sequence[float], steps: int, seconds: float) -> tuple[Space, list[int], list[tuple[int, int]], list[int], Feasible, list[int], list[int], list[tuple[int, int]]] | None:
        """
        The same with C_x grounded here, and of that the rules, those that ask that a feature stays missing, and those that are skipped with the feature that x lacks; None where C_x is left to Python.
        """

class Delta:
    @staticmethod
    def from_rows(space: Space, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Delta: ...

    def __len__(self) -> int: ...

    @property
    def cells(self) -> int:
        """Row numbers stored."""

    @staticmethod
    def stored(space: Space, points: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[int, int]:
        """
        What these points take: the paper's size measure (features of Δ times candidates), and row numbers.
        """

    def rows(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """Row numbers, one line per candidate and one column per group."""

    def take(self, indices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Delta: ...

    def select(self, space: Space, points: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Delta:
        """Those with these numbers, the points numbered on after the candidates."""

    def best_per_delta(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def mutate(self, space: Space, m: int, selective: bool, seed: int, round: int, counts: CascadeCounts) -> Delta: ...

    def crossover(self, space: Space, seed: int, round: int, counts: CascadeCounts) -> Delta: ...

class Listing:
    @staticmethod
    def from_rows(space: Space, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Listing: ...

    def __len__(self) -> int: ...

    @property
    def cells(self) -> int:
        """Row numbers stored."""

    @staticmethod
    def stored(space: Space, points: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[int, int]:
        """
        What these points take: the paper's size measure (features of Δ times candidates), and row numbers.
        """

    def rows(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """Row numbers, one line per candidate and one column per group."""

    def take(self, indices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Listing: ...

    def select(self, space: Space, points: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Listing:
        """Those with these numbers, the points numbered on after the candidates."""

    def best_per_delta(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def mutate(self, space: Space, m: int, selective: bool, seed: int, round: int, counts: CascadeCounts) -> Listing: ...

    def crossover(self, space: Space, seed: int, round: int, counts: CascadeCounts) -> Listing: ...

def rank(distance: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], q: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """The q best by score (Eq. 11), best first."""

class Archive:
    def __init__(self, space: Space) -> None: ...

    def __len__(self) -> int: ...

    @overload
    def claim(self, space: Space, candidates: Delta) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """
        Rows of the candidates never seen before, each once; they are seen from now on.
        """

    @overload
    def claim(self, space: Space, candidates: Listing) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]: ...

    @overload
    def claim(self, space: Space, candidates: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]: ...

    def score_latest(self, outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], number: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Score the candidates claimed last, in order; their distances."""

    def score(self, space: Space, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], number: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def look_up(self, space: Space, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, float, float]:
        """Distance, outcome and the model's number."""

    def highest(self, space: Space) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))] | None: ...

    def nearest(self, space: Space, n: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """Counterfactuals, nearest first."""

    def fittest(self, space: Space, q: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """The q best by score of everything scored."""

    def best(self, space: Space, n: int, minimal: bool) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """The answers: settled ways."""

    def ways(self, space: Space, n: int, enough: int, minimal: bool, only_settled: bool = False) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None, None))]]:
        """
        Different irreducible counterfactuals, which of them are settled, parts of them to be scored.
        """

class FrontierSettings:
    @staticmethod
    def of(k: int, seed: int, groups: int, rows: int | None, swept: bool, *, minimal: bool = True, parents: int | None = None, rows_per_line: int | None = None, first_rows: int | None = None, per_delta: int | None = None, combinations: int | None = None, max_rounds: int | None = None, patience: int | None = None) -> FrontierSettings:
        """
        For lines of which so many rows (None: all) can be afforded; 0 stands for all rows, None for what suits the model.
        """

    def within(self, max_rows: int, choices: Sequence[int]) -> FrontierSettings:
        """For a model that may be asked about so few rows in all."""

    def but(self, **numbers: float) -> FrontierSettings:
        """The same with some numbers changed."""

    @property
    def small_trades(self) -> bool: ...

    @property
    def minimal(self) -> bool: ...

    @property
    def seed(self) -> int: ...

    @property
    def k(self) -> int: ...

    @property
    def parents(self) -> int: ...

    @property
    def per_delta(self) -> int: ...

    @property
    def good_share(self) -> int: ...

    @property
    def good_more(self) -> int: ...

    @property
    def explorer_share(self) -> int: ...

    @property
    def spare_ways(self) -> int: ...

    @property
    def rows_per_line(self) -> int: ...

    @property
    def first_rows(self) -> int: ...

    @property
    def drawn_rows(self) -> int: ...

    @property
    def second_look(self) -> int: ...

    @property
    def crossing_rows(self) -> int: ...

    @property
    def plateau_rows(self) -> int: ...

    @property
    def record_rows(self) -> int: ...

    @property
    def repaired_rows(self) -> int: ...

    @property
    def combinations(self) -> int: ...

    @property
    def guesses(self) -> int: ...

    @property
    def guess_before(self) -> int: ...

    @property
    def guess_after(self) -> int: ...

    @property
    def bases(self) -> int: ...

    @property
    def sums(self) -> int: ...

    @property
    def trades(self) -> int: ...

    @property
    def trade_tries(self) -> int: ...

    @property
    def jumps(self) -> int: ...

    @property
    def stalled(self) -> int: ...

    @property
    def stalled_few(self) -> int: ...

    @property
    def max_rounds(self) -> int: ...

    @property
    def end_game(self) -> int: ...

    @property
    def tightenings(self) -> int: ...

    @property
    def patience(self) -> int: ...

    @property
    def stretch(self) -> float: ...

    @property
    def stretch_growth(self) -> float: ...

    @property
    def beyond_crossing(self) -> float: ...

    @property
    def spent_least(self) -> float: ...

    @property
    def spent_range(self) -> float: ...

    ASKED_ROWS: int = 4

    LINEAR_ROWS: int = 360

    NETWORK_ROWS: int = 120

    PER_DELTA: int = 2

    PATIENCE: int = 60

class Claims:
    def __init__(self, space: Space, archive: Archive) -> None: ...

    def claim(self, rows: Sequence[int], bound: float) -> tuple[bool, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        Repaired, nearer than the bound and never proposed before: whether it is, and the candidate.
        """

    @property
    def counts(self) -> CascadeCounts: ...

class InPlay:
    def __init__(self) -> None: ...

    def follow(self, archive: Archive) -> None:
        """Take in what the archive has learned since the last time."""

    def add(self, nodes: Sequence[tuple[float, float, int, int]]) -> None:
        """
        Distance, outcome, index in the archive, and the number of the set of changed groups.
        """

    def within(self, bound: float) -> list[int]:
        """
        Indices of what is nearer, nearest first, and of the counterfactuals that are as far.
        """

class Hopeless:
    def __init__(self, archive: Archive) -> None: ...

    def follow(self, archive: Archive, ways: Sequence[int]) -> None:
        """These are the ways from here on."""

    def each(self, archive: Archive, candidates: Sequence[int]) -> list[bool]:
        """
        Per candidate whether it contains one of the ways and does not halve it.
        """

class Parent:
    def __init__(self, index: int, again: bool = False, base: bool = True) -> None: ...

    @property
    def index(self) -> int: ...

    @property
    def again(self) -> bool: ...

    @property
    def base(self) -> bool: ...

class Parents:
    def __init__(self, settings: FrontierSettings, whole_lines: bool) -> None: ...

    def choose(self, in_play: InPlay, bound: float) -> list[Parent]:
        """Whom to expand in a round."""

    def expanded(self, parent: Parent, whole: bool, wide: bool = False) -> None:
        """
        It was; whole: a second look would show nothing new, wide: not even farther away.
        """

class Sight:
    def __init__(self, round: int, bound: float, reach: float) -> None: ...

    @property
    def round(self) -> int: ...

    @property
    def bound(self) -> float: ...

    @property
    def reach(self) -> float: ...

class Round:
    def __init__(self) -> None: ...

    def arrays(self, width: int) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None))], Annotated[NDArray[numpy.int32], dict(shape=(None, None))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """Points, and lines as parents, groups, offsets and rows."""

class Expansion:
    def begin(self, sight: Sight, round: Round) -> None:
        """Said once per round, before its parents are expanded."""

    def expand(self, parent: Parent, sight: Sight, round: Round) -> bool:
        """
        Add the lines of a parent to the round. True: a second look would show nothing new.
        """

    def tell(self, round: Round, outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], number: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bound: float) -> list[int]:
        """
        What the model said of the lines; gives candidates to be asked as points next.
        """

    def shown(self, parent: int, bound: float) -> list[tuple[int, int, float]]:
        """
        Group, row and effect on the log-odds, as the lines of a parent showed it.
        """

    @property
    def whole_lines(self) -> bool: ...

class Thinned(Expansion):
    """A few rows of every line, for a model that is asked row by row."""

    def __init__(self, claims: Claims, settings: FrontierSettings) -> None: ...

class Swept(Expansion):
    """Whole lines, of which few rows are kept, for a compiled model."""

    def __init__(self, claims: Claims, settings: FrontierSettings, scoring: Scoring | None = None) -> None: ...

class Effects:
    def __init__(self, space: Space, settings: FrontierSettings) -> None: ...

    def guess(self, parent: Sequence[int], log_odds: float, shown: Sequence[tuple[int, int, float]], bound: float) -> list[tuple[float, list[int]]]:
        """
        Costs and rows of the cheapest combinations that would turn good if effects added up.
        """

    def trades(self, good: Sequence[int], index: int, round: int, once: bool = False) -> list[list[int]]:
        """Less of one change, more of another; `once`: none is drawn again."""

    def jump(self, seed: int) -> list[int]:
        """About half of the groups drawn by weight."""

class Ending:
    def __init__(self, settings: FrontierSettings) -> None: ...

    def nothing_left(self, enough_found: bool) -> None: ...

    def told(self, bound: float, nearest: float, farthest: float = float('inf')) -> bool:
        """A round ended. True: say to `settle` what was found."""

    def settle(self, found: int, settled: int) -> None: ...

    @property
    def converged(self) -> bool: ...

    @property
    def only_undos(self) -> bool: ...

    @property
    def rounds(self) -> int: ...

    @property
    def stopped_by(self) -> str: ...

class Frontier:
    def __init__(self, claims: Claims, expansion: Expansion, stages: Sequence[FrontierSettings], x_obeys: bool, possible: bool, proofs: Proofs | None = None) -> None: ...

    def ask(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None))], Annotated[NDArray[numpy.int32], dict(shape=(None, None))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """Points, and lines as parents, groups, offsets and rows."""

    def tell(self, x_outcome: float, x_number: float, points: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], point_numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lines: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], line_numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """What the model said of x and of what was asked last."""

    @property
    def converged(self) -> bool: ...

    @property
    def proving(self) -> bool:
        """What is asked next belongs to a proof."""

    @property
    def stopped_by(self) -> str: ...

    @property
    def rounds(self) -> int: ...

    @property
    def bound(self) -> float: ...

class Forest:
    @staticmethod
    def build(forest: object, tables: list[object], constant: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Forest:
        """
        From geco.models.kinds.forest.Forest, per group (columns, values) with slot 0, and the columns no group owns.
        """

    @property
    def trees(self) -> int: ...

    def cells(self, group: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        Per row the cell it is in: rows of one cell are the same to the forest; -1: none.
        """

    def thin(self, space: Space, like_x: Sequence[int]) -> Space:
        """The space with the nearest row of each cell left to choose from."""

    @property
    def width(self) -> int: ...

    @property
    def outputs(self) -> int: ...

    def anchor(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """What stands for slot 0."""

    def points(self, anchor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], seconds: float = float('inf')) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Sums before the link; OutOfTime if they take longer than so many seconds.
        """

    def lines(self, anchor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float = float('inf')) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """The same for every row of every line."""

    def specialize(self, anchor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> SpecializedForest:
        """M_Δ: all groups but these are as in x."""

class SpecializedForest:
    @property
    def width(self) -> int: ...

    @property
    def size(self) -> int:
        """Numbers or nodes it holds."""

    def points(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Sums before the link for the candidates of R_Δ, one column per group of Δ.
        """

class NearX:
    def __init__(self) -> None: ...

    def lines(self, forest: Forest, anchor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], number: int, of_x: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], lines: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], seconds: float = float('inf')) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Sums as Forest.lines has them; what is known near x is made anew where the number is another one.
        """

    def points(self, forest: Forest, anchor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """Sums as Forest.points has them."""

class Network:
    @staticmethod
    def build(weights: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], biases: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], steps: Sequence[Sequence[tuple[str, float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]], tables: list[object], constant: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Network:
        """
        Layers as in geco.models.kinds.network.Mlp, per group (columns, values) with slot 0, and the columns no group owns.
        """

    @property
    def width(self) -> int: ...

    @property
    def outputs(self) -> int: ...

    def anchor(self, x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """What stands for slot 0."""

    def points(self, anchor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], seconds: float = float('inf')) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Sums before the link; OutOfTime if they take longer than so many seconds.
        """

    def lines(self, anchor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float = float('inf')) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """The same for every row of every line."""

    def specialize(self, anchor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> SpecializedNetwork:
        """M_Δ: all groups but these are as in x."""

class SpecializedNetwork:
    @property
    def width(self) -> int: ...

    @property
    def size(self) -> int:
        """Numbers or nodes it holds."""

    def points(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Sums before the link for the candidates of R_Δ, one column per group of Δ.
        """

class Link:
    def __init__(self, name: str, scale: float, single: bool) -> None: ...

    def __call__(self, sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """The model's raw answer per row of sums."""

class Judge:
    def __init__(self, kind: str, at: float, low: float, high: float, softness: float, margin: float, sign: float) -> None: ...

class Verdict:
    def __init__(self, link: Link, both: bool, columns: Sequence[int], by_lead: bool, judge: Judge) -> None: ...

    def __call__(self, sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """M(x') and the model's number per row."""

class Scoring:
    @overload
    def __init__(self, model: Forest, anchor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], verdict: Verdict) -> None: ...

    @overload
    def __init__(self, model: Network, anchor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], verdict: Verdict) -> None: ...

    def score(self, points: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float = float('inf')) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        M(x') and the model's number of points, then of every row of every line; exact. OutOfTime if that takes longer.
        """

def unsure(outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], jumps: bool) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Positions of outcomes along lines that rounding may have decided."""

class Clock:
    def __init__(self, seconds: float) -> None: ...

    @property
    def left(self) -> float:
        """Seconds until the deadline; 0 once stopped, infinite if there is none."""

    @property
    def stopped(self) -> bool: ...

    def stop(self) -> None: ...

class Standing:
    def __init__(self, clock: Clock, kept: float, x_obeys: bool) -> None: ...

    def tell_x(self, outcome: float, number: float) -> None:
        """What the model says of x itself."""

    @property
    def first(self) -> bool:
        """Nothing is known of x yet."""

    @property
    def x_outcome(self) -> float: ...

    @property
    def x_number(self) -> float: ...

    @property
    def already_good(self) -> bool:
        """x has the wanted outcome and obeys every rule."""

    @property
    def unknowable(self) -> bool:
        """The model has no number for x."""

    @property
    def seconds(self) -> float:
        """That are left for the next round."""

    def give_up(self) -> None:
        """A round under way was out of time."""

    def late(self) -> bool:
        """Looks at the clock: whether no further round may begin."""

    @property
    def was_late(self) -> bool:
        """The same, as it was when last looked at."""

class Sweeping:
    def __init__(self, frontier: Frontier, scoring: Scoring, standing: Standing) -> None: ...

    def run(self, rounds: int, seconds: float) -> int:
        """
        Up to this many rounds (ask, score, tell), none begun after so many seconds; how many, 0 once all is done.
        """

    def rethrow(self) -> None:
        """Raise what went wrong, if anything did."""

    def then(self, deployment: Deployment, space: Space, archive: Archive, x: Sequence[float], natures: bytes, k: int, minimal: bool | None, round: bool, ranges: bool, steps: int) -> None:
        """
        What is wanted of the k best (minimal None: simply the nearest) once all is done: whoever carried out the last round makes them ready.
        """

    def prepared(self) -> Prepared | None:
        """
        The answers as they are ready by now; None where there are none, or they were taken already.
        """

    @property
    def scored(self) -> int: ...

    @property
    def laps(self) -> tuple[float, float, float, float]:
        """Seconds for ask, score and tell, and for proofs."""

class Pool:
    def __init__(self, threads: int) -> None: ...

    def submit(self, number: int, run: Sweeping, rounds: int) -> None:
        """Hand over a run, to be kept until its number is finished."""

    def close(self) -> None:
        """Drop what was not begun, wait for the rest."""

    def finished(self, seconds: float, few: int) -> list[int]:
        """
        Numbers of the runs that ended; waits so long for a few of them, or for all there are.
        """

class Hidden:
    """What good means for a network with one hidden layer of ReLU."""

    def __init__(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], biases: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], needs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], off: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Bounds:
    """
    What a proof knows of a model: its forest, x in its terms, and what is good.
    """

    def __init__(self, forest: Forest, anchor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], needs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], sure: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hidden: Hidden | None = None, x_apart: bool = False) -> None: ...

class Exact:
    def __init__(self, space: Space, bounds: Bounds, reach: float, ways: int, minimal: bool, seconds: float = float('inf')) -> None:
        """
        Proves that no allowed good candidate is nearer than the reach, or finds it; or finds the first minimal ways, or all
        sets. OutOfTime if that cannot even be begun in so many seconds.
        """

    def ask(self, space: Space, boxes: int, seconds: float = float('inf')) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """
        Look at up to so many boxes for so many seconds; a candidate to be judged, or none.
        """

    def tell(self, good: bool, reducible: bool, reach: float) -> None:
        """
        Of the candidate handed out last: is it good, can a change be undone; and the reach from now on.
        """

    @property
    def complete(self) -> bool: ...

    @property
    def full(self) -> bool: ...

    @property
    def lower(self) -> float: ...

    @property
    def reach(self) -> float: ...

    @property
    def boxes(self) -> int: ...

    @property
    def ways(self) -> int: ...

    def leave_out(self, space: Space, way: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """A way that is proved already."""

class Proofs:
    """
    After every stage of a search, the proof that its ways are the nearest there are.
    """

    def __init__(self, space: Space, archive: Archive, bounds: Bounds, standing: Standing, minimal: bool, several: bool, boxes: int, seconds: float, most_words: int | None) -> None: ...

    @property
    def proved(self) -> int:
        """So many leading ways."""

    @property
    def none_left(self) -> bool:
        """There are no other ways."""

    @property
    def lower(self) -> float:
        """Nothing good is nearer."""

    @property
    def full(self) -> bool:
        """It took all the memory it may have."""

    @property
    def boxes(self) -> int: ...

class Nature(enum.IntEnum):
    """What a feature is, as far as its neighbours matter."""

    CATEGORY = 0

    NAMES = 1
    """Text with an order."""

    ORDERED = 2

    QUANTITY = 3
    """May be rounded."""

def roundest(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: int) -> int:
    """Of numbers that do not fall the position of the roundest."""

class Around:
    def __init__(self, deployment: Deployment, space: Space, x: Sequence[float], natures: bytes, answers: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], round: bool, ranges: bool, scoring: Scoring | None = None) -> None:
        """
        Rows that neither a forest nor the rules tell apart are asked about once, and so are those along which a network is sure.
        """

    def ask(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        Parents, groups, offsets and rows of lines to be scored; none once all is known.
        """

    def tell(self, outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """M(x') for every row that was asked about."""

    def sweep(self, scoring: Scoring, seconds: float = float('inf')) -> bool:
        """
        The same by a model in the core, until nothing is left to ask; False if there is no time for it.
        """

    def round_on_trial(self) -> None:
        """Round as if the model agreed, where the rules do."""

    def tries(self, each: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """Candidates on every line, at most so many on one."""

    def tell_tries(self, good: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Which of them are good."""

    @property
    def lines(self) -> int: ...

    def answers(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """As round as they have become."""

    def ranges(self) -> list[tuple[int, int, int, int, int, bool, bool, list[int], int | None]]:
        """
        Per line: answer, group, feature of its table (-1: ONEHOT), rows low and high, nothing allowed beyond them, other rows that would do, how many were tried (None: all).
        """

class Facts:
    """What is said of a candidate, and of an answer what is around it."""

    @property
    def distance(self) -> float: ...

    @property
    def number(self) -> float:
        """The model's; NaN where it never said one."""

    @property
    def changed(self) -> list[int]:
        """Groups."""

    @property
    def rows(self) -> list[int]:
        """Of each of them."""

    @property
    def required(self) -> list[int]:
        """Of each what first_broken says once that change is undone."""

    @property
    def place(self) -> int:
        """In what was asked."""

    @property
    def unrounded(self) -> Facts | None:
        """As it was found, if that is not as round."""

    @property
    def ranges(self) -> list[tuple[int, int, int, int, int, bool, bool, list[int], int | None]]:
        """As Around gives them."""

    @property
    def order(self) -> list[int]:
        """Of its changed groups."""

    @property
    def broken(self) -> list[int]:
        """What first_broken says on the way."""

    @property
    def between(self) -> list[tuple[float, float] | None]:
        """
        Outcome and number of each candidate on the way, None where nothing was said.
        """

    @property
    def all_heard(self) -> bool: ...

    def unheard(self, width: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """Those of which nothing was said."""

    def hear(self, outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], number: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """What is said of them."""

class Prepared:
    """Answers made ready for their confirmation."""

    def __init__(self, archive: Archive, near: Around, ranges: bool, steps: int) -> None: ...

    def __len__(self) -> int:
        """Answers."""

    @property
    def moved(self) -> list[int]:
        """Those that are not shown as they were found."""

    def shown(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """The answers."""

    def asked(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """
        All rows of the confirmation: the answers first, what need not be good last.
        """

    @property
    def between(self) -> int:
        """How many rows need not be good."""

    def confirmed(self, outcome: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], number: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[Facts]:
        """
        The answers that the model calls good; it may not have come to all rows.
        """

    def unconfirmed(self, number: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[Facts]:
        """
        All of them, unasked; the compiled model's number for each that was moved, or none.
        """

class Encoded:
    def __init__(self, constant: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], values: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]]) -> None:
        """
        Per group the columns that it owns and their values, slot 0 included. The arrays are looked at, not copied: give them in tuples, and do not change them.
        """

    def row(self, rows: Sequence[int]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The encoded candidate with these rows."""

class Reader:
    def __init__(self, fields: Sequence[tuple[str, str, bool, int, dict[str, float]]], places: Sequence[int], scalars: tuple[type, ...]) -> None:
        """
        Per feature its name, type, whether it is a code, its bits and the numbers of its texts; the places of their numbers; the classes of NumPy whose values are read as those of Python, int64 first.
        """

    def read(self, given: dict[object, object]) -> tuple[dict[str, object], list[float], list[int]] | None:
        """
        Plain values by name, their numbers, and the features that are left to be read; None if one has no value.
        """

class Grounds:
    def __init__(self, rules: list[object], columns: int) -> None:
        """
        Per rule its antecedents and its consequent, each with what fills its slots and what decides it or None, and whether it keeps a feature as it is; over so many numbers of x.
        """

    def of(self, x: Sequence[float]) -> tuple[list[int], bytes, list[float], list[int], list[tuple[int, int]]] | None:
        """
        C_x as Deployment.space takes it; of its rules those that ask that a feature stays missing; rules that are skipped, and the feature that x lacks. None where it is left to Python.
        """

def places(rows: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]], like_x: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
    """
    Column by column where the values of these candidates stand, in columns that lie one after the other; slot 0 stands for the rows that are like x.
    """
