"""Events in words, as they are announced to the people at the board."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from referee import events
from referee.announcements import in_words, reason_of
from referee.board import Side
from referee.clock import OFF
from referee.commands import TYPED
from referee.english import ENGLISH
from referee.events import Event, Phrase, phrase
from referee.journal import condition
from referee.language import Language, reason_in, say
from referee.notation import DRAW, WINS
from referee.profiles import Aloud, Profile


class Tone(Enum):
    """How an announcement is meant."""

    MOVE = "move"
    NOTE = "note"
    TROUBLE = "trouble"
    """Something must be done before the game goes on."""
    END = "end"


@dataclass(frozen=True)
class Announcement:
    """A few short sentences, at a time."""

    time_ms: int
    tone: Tone
    text: str
    kind: Aloud | None = None
    """What sort it is of those that a profile may have said aloud; None is for the desk only."""
    settled_by: frozenset[str] = frozenset()
    """The names of the events after which it is no longer true."""


def announce(event: Event, language: Language = ENGLISH) -> Announcement | None:
    """The announcement of an event; None for one that only its ruling speaks of."""
    match event:
        case events.Ruling(verdict=events.Verdict.WIN | events.Verdict.DRAW):
            return None  # the result has said so already
        case events.Ruling():
            tone = _ruling_tone(event)
            words = in_words(event, language)
            key, *_ = event.phrase or ("",)
            settled = _SETTLED.get(key if key in _CALLS else event.verdict.value, frozenset())
            return Announcement(event.time_ms, tone, words, Aloud.RULINGS, settled)
        case events.Proposed():
            proposal = phrase("proposed", n=event.number, ruling=in_words(event, language))
            return Announcement(event.time_ms, Tone.TROUBLE, say(proposal, language))
    said = _said(event, language)
    if said is None:
        return None
    tone, kind = _TONES.get(event.name, (Tone.NOTE, Aloud.NOTES))
    if isinstance(event, events.Corrected) and (event.reopened or event.overruled):
        kind = Aloud.RULINGS  # as what it takes back
    settled = _SETTLED.get(event.name, frozenset())
    return Announcement(event.time_ms, tone, say(said, language), kind, settled)


def _ruling_tone(event: events.Ruling) -> Tone:
    """A notice is trouble when the board is not in order, though nobody is punished."""
    if event.verdict is events.Verdict.DRAW_CLAIMABLE:
        return Tone.NOTE
    of_board = event.phrase[0].startswith(_IRREGULAR) if event.phrase else False
    return Tone.TROUBLE if of_board or event.verdict is not events.Verdict.NOTICE else Tone.NOTE


_IRREGULAR = tuple(kind.value for kind in events.Irregularity)
"""What the phrases about a board in disorder begin with."""
_TONES: dict[str, tuple[Tone, Aloud | None]] = {
    "played": (Tone.MOVE, Aloud.MOVES),
    "crowned": (Tone.MOVE, Aloud.MOVES),
    "unsure": (Tone.TROUBLE, Aloud.DOUBT),
    "withdrawn": (Tone.TROUBLE, Aloud.DOUBT),
    "otherwise": (Tone.TROUBLE, Aloud.DOUBT),
    "not_watching": (Tone.TROUBLE, Aloud.DOUBT),
    "watching": (Tone.NOTE, Aloud.DOUBT),
    "not_recording": (Tone.TROUBLE, Aloud.RULINGS),
    "not_recorded": (Tone.TROUBLE, Aloud.RULINGS),
    "result": (Tone.END, Aloud.RULINGS),
    "touched": (Tone.NOTE, None),
    "lingering": (Tone.NOTE, None),
    "refused": (Tone.NOTE, None),
    "dismissed": (Tone.NOTE, None),
    "headed": (Tone.NOTE, None),
}
"""How events sound that do not sound like a note."""
_IN_ORDER = frozenset({"restored", "played", "corrected", "started", "result"})
_REOPENED, _OVERRULED = "corrected reopened", "corrected overruled"
"""What a correction is called besides that takes back the end of the game, or rulings."""
_CALLS = "crown_wanted", "crown_now"
"""Rulings that call for a crown."""
_CROWNED = frozenset({"crowned", "withdrawn", "corrected", "started"})
_SETTLED = {
    "played": frozenset({"withdrawn", "corrected", "started"}),
    "unsure": _IN_ORDER | {"withdrawn", "irregular"},
    "waiting": frozenset({"ready"}),
    "otherwise": _IN_ORDER | {"irregular"},
    "not_watching": frozenset({"watching"}),
    "not_recording": frozenset({"recording"}),
    "result": frozenset({_REOPENED, "started"}),
    "crown_wanted": _CROWNED,
    "crown_now": _CROWNED,
    events.Verdict.NOTICE.value: _IN_ORDER - {"result"} | {"withdrawn"},
    events.Verdict.RESTORE.value: _IN_ORDER,
    events.Verdict.WARNING.value: frozenset({_OVERRULED, "started"}),
    events.Verdict.FORFEIT.value: frozenset({_OVERRULED, "started"}),
}
"""After which events an announcement, or a ruling of a verdict, is old news. A warning counts
though the board is in order again, unless it is overruled. A crown that is called for beside a
reply which stands is wanted until it is put on."""


def _said(event: Event, language: Language) -> Phrase | None:
    """What an event says, beside rulings; None where its ruling says it."""
    match event:
        case events.Irregular() | events.TimeOver() | events.Held():
            return None
        case events.Played():
            return phrase("played", side=event.side, move=event.move)
        case events.Touched(beside=True):
            return phrase("touched_beside", square=event.square)
        case events.Crowned() | events.Touched():
            return phrase(event.name, square=event.square)
        case events.Lingering():
            return phrase("lingering", side=event.side, square=event.square)
        case events.Waiting():
            return phrase("waiting", squares=event.missing)
        case events.Otherwise():
            return phrase("otherwise", squares=event.squares)
        case events.Unsure():
            if event.squares and not event.candidates:
                return phrase("unsure_where", squares=event.squares)
            if event.instead:
                return phrase("unsure_replaced", choice=event.candidates)
            if event.ply is not None:
                key = "unsure_way" if event.is_of_the_way else "unsure_instead"
                return phrase(key, choice=event.candidates)
            open_question = "" if event.candidates else "_open"
            return phrase(f"unsure{open_question}", choice=event.candidates or None)
        case events.Withdrawn():
            return phrase("withdrawn", listed=event.undone)
        case events.NotWatching():
            return phrase("not_watching", view=reason_in(event.reason, language))
        case condition.NotRecording():
            return phrase("not_recording", why=event.hindrance.value)
        case condition.NotRecorded():
            return phrase("not_recorded", why=event.hindrance.value)
        case condition.Recording():
            reason = reason_in(event.reason, language)
            return phrase("recording_but" if reason else "recording", reason=reason)
    return _answered(event, language)


def _answered(event: Event, language: Language) -> Phrase:
    """What there is to say to the words of people, and of events that have none of their own."""
    match event:
        case events.Seated():
            key = "seated_next" if event.next_game else "seated"
            return phrase(key, red=event.red, white=event.white)
        case events.Headed():
            return phrase(f"headed_{event.tag.lower()}", text=event.text)
        case events.Corrected(reopened=str()):
            return _reopened(event)
        case events.Corrected(turn=Side()):
            return phrase("let_stand", side=event.turn)
        case events.Corrected(undone=(_, *_)) | events.Corrected(overruled=(_, *_)):
            return _taken_back(event)
        case events.DrawOffered() | events.DrawDeclined() | events.CountRequested():
            return phrase(event.name, side=event.side)
        case events.Adjusting(side=Side()):
            return phrase("adjusting_by", side=event.side)
        case events.ClockSet():
            set_to = phrase("clock_set", limits=event.limits)
            return set_to if event.limits != OFF else phrase("clock_off")
        case events.Refused():
            command = TYPED.get(event.command, event.command)
            return phrase("refused", command=command, reason=refusal_of(event, language))
        case events.Result():
            return phrase("result", result=event.result, reason=reason_of(event, language))
    return phrase(event.name)


def _taken_back(event: events.Corrected) -> Phrase:
    """What a correction says that took moves off the record, a ruling, or both."""
    without = "corrected_without" if event.undone else ""
    ruling = "ruling_back_of" if event.against else "ruling_back"
    key = "_".join(filter(None, (without, ruling if event.overruled else "")))
    return phrase(key, side=event.against, listed=event.undone or None)


def _reopened(event: events.Corrected) -> Phrase:
    """What a correction says that took the end of the game back, perhaps with some moves, or to let
    the board stand."""
    winner = {result: side for side, result in WINS.items()}.get(event.reopened or "")
    key = "reopened_won" if winner else "reopened"
    key = "reopened_drawn" if event.reopened == DRAW else key
    if event.turn:
        return phrase(f"{key}_stands", side=winner, turn=event.turn)
    if not event.undone:
        return phrase(key, side=winner)
    return phrase(f"{key}_without", side=winner, listed=event.undone)


def refusal_of(event: events.Refused, language: Language) -> str:
    """Why something is not possible, in words; by a phrase that is not known any more, as it was
    written down."""
    key, *_ = event.phrase or ("",)
    known = key in language.sentences
    return say(event.phrase, language) if known else reason_in(event.reason, language)


# --- aloud ----------------------------------------------------------------------------------

STALE_MS = {Tone.MOVE: 3_000, Tone.NOTE: 6_000, Tone.TROUBLE: 20_000, Tone.END: 60_000}
"""So long after its time an announcement is still worth saying: the next move makes the last
one old news, a ruling holds until the board is in order."""
WEIGHTS = {Tone.MOVE: 0, Tone.NOTE: 1, Tone.TROUBLE: 2, Tone.END: 3}
CUTTING = WEIGHTS[Tone.TROUBLE]
"""What weighs so much does not wait for the end of something lighter."""


def is_aloud(announcement: Announcement, profile: Profile) -> bool:
    """Whether it is said at the board; a tournament's arbiter is silent until he must rule."""
    return announcement.kind in profile.aloud


Said = tuple[Announcement, ...]
"""What came in one frame and belongs together, in the order in which it came."""


def still_true(said: Said, event: Event) -> Said:
    """Without what an event has made old news."""
    names = {event.name}
    if isinstance(event, events.Corrected):
        names |= {_REOPENED} if event.reopened else set()
        names |= {_OVERRULED} if event.overruled else set()
    return tuple(each for each in said if names.isdisjoint(each.settled_by))


@dataclass(frozen=True)
class Speech:
    """What is said by a voice that needs time, and what comes next: never more waits than what came
    in one frame."""

    waiting: Said = ()
    saying: Said = ()
    """What the voice was given last, whether it is over or not..."""
    is_old: bool = False
    """...and whether all of that has become old news."""

    def with_news(self, news: Said) -> Speech:
        """The newer wait, unless something older is weightier and not stale yet."""
        if not news:
            return self
        weight, now_ms = _weight(news), news[-1].time_ms
        kept = (each for each in self.waiting if WEIGHTS[each.tone] > weight)
        return replace(self, waiting=_fresh(kept, now_ms) or news)

    def after(self, event: Event) -> Speech:
        """Without what the event has made old news."""
        is_old = self.is_old or (bool(self.saying) and not still_true(self.saying, event))
        return replace(self, waiting=still_true(self.waiting, event), is_old=is_old)

    def at(self, time_ms: int, is_free: bool) -> Said:
        """What to say now; nothing when it is too late, or when it has to wait for the end of what
        is being said."""
        new = _fresh(self.waiting, time_ms)
        return new if is_free or self._is_cut_off_by(new) else ()

    def _is_cut_off_by(self, new: Said) -> bool:
        """Nobody is to be told to the end what he has not to do any more."""
        cuts = self.is_old or _weight(new) >= CUTTING > _weight(self.saying)
        return bool(self.saying) and bool(new) and cuts

    def last_words(self) -> Said:
        """What must not go unsaid when nothing more will happen."""
        return tuple(each for each in self.waiting if WEIGHTS[each.tone] >= CUTTING)

    def begun(self, said: Said) -> Speech:
        """The voice has been given what waited, or what was left of it."""
        return Speech((), said)


def _weight(said: Said) -> int:
    return max((WEIGHTS[each.tone] for each in said), default=0)


def _fresh(said: Iterable[Announcement], time_ms: int) -> Said:
    """Without what is stale."""
    return tuple(each for each in said if time_ms - each.time_ms <= STALE_MS[each.tone])
