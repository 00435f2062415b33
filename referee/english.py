"""What the referee says in English."""

from __future__ import annotations

from referee.colours import COLOURS, RED_AND_WHITE
from referee.events import Verdict
from referee.language import Language, called

_OFFENCES = {
    "wrong_turn": ("It is {turn}'s turn", "Put {piece} back on {start}."),
    "wrong_turn_removing": (
        "It is {turn}'s turn",
        "Put {piece} back on {start}, also the {pieces}.",
    ),
    "capture_missed": ("{turn} must capture", "Put {piece} back on {start} and {lawful}."),
    "capture_unfinished": ("{side} must finish the capture", "Now {lawful}."),
    "capture_unfinished_due": (
        "{side} has not finished the capture",
        "Put {piece} back on {start}. The piece on {due} must move: {lawful}.",
    ),
    "capture_unfinished_removing_due": (
        "{side} has not finished the capture",
        "Put {piece} back on {start}, also the {pieces}. The piece on {due} must move: {lawful}.",
    ),
    "jumped_piece_left": ("{side} has not cleared all that was jumped", "Take off the {pieces}."),
    "own_piece_removed": (
        "{side} took off a piece of their own",
        "Put back the {pieces}, then {lawful}.",
    ),
    "own_piece_removed_beside": (
        "{side} has lost a piece beside the move",
        "Put back the {pieces}; {move} stands.",
    ),
    "own_piece_removed_moving": (
        "{side} took off a piece of their own",
        "Put {piece} back on {start}, also the {pieces}, then {lawful}.",
    ),
    "own_piece_removed_after": (
        "{side} took off a piece of their own",
        "Put back the {pieces}; the capture stands.",
    ),
    "own_piece_removed_several": (
        "{side} took off pieces of their own",
        "Put back the {pieces}, then {lawful}.",
    ),
    "own_piece_removed_after_several": (
        "{side} took off pieces of their own",
        "Put back the {pieces}; the capture stands.",
    ),
    "wrong_piece_removed_after": (
        "{side} took off a piece that was not jumped",
        "Put back the {pieces}; the capture stands.",
    ),
    "wrong_piece_removed": (
        "{side} took off a piece that was not jumped",
        "Put back the {pieces}, then {lawful}.",
    ),
    "wrong_piece_removed_several": (
        "{side} took off pieces that were not jumped",
        "Put back the {pieces}, then {lawful}.",
    ),
    "wrong_piece_removed_after_several": (
        "{side} took off pieces that were not jumped",
        "Put back the {pieces}; the capture stands.",
    ),
    "wrong_piece_removed_moving": (
        "{side} took off a piece that was not jumped",
        "Put {piece} back on {start}, also the {pieces}, then {lawful}.",
    ),
    "illegal_step": (
        "{start} to {end} is not lawful, {why}",
        "Put {piece} back on {start} and {lawful}.",
    ),
    "illegal_step_removing": (
        "{start} to {end} is not lawful, {why}",
        "Put {piece} back on {start}, also the {pieces}, and {lawful}.",
    ),
    "illegal_step_due": (
        "{start} to {end} is not lawful, {why}",
        "Put {piece} back on {start}. The piece on {due} must move: {lawful}.",
    ),
    "illegal_step_removing_due": (
        "{start} to {end} is not lawful, {why}",
        "Put {piece} back on {start}, also the {pieces}. The piece on {due} must move: {lawful}.",
    ),
    "illegal_step_on_light": (
        "No piece may stand on a light square",
        "Put {piece} back on {start} and {lawful}.",
    ),
    "illegal_step_on_light_due": (
        "No piece may stand on a light square",
        "Put {piece} back on {start}. The piece on {due} must move: {lawful}.",
    ),
    "piece_added": ("There is a piece too many", "Remove the {pieces}."),
    "piece_added_several": ("There are too many pieces", "Remove the {pieces}."),
    "piece_removed": ("A piece is missing", "Put back the {pieces}."),
    "piece_removed_several": ("Pieces are missing", "Put back the {pieces}."),
    "piece_displaced": ("A piece was moved", "Put {piece} back on {start}."),
    "piece_displaced_to": ("A piece was moved", "Put {piece} on {listed} back on {start}."),
    "piece_displaced_to_removing": (
        "A piece was moved",
        "Put {piece} on {listed} back on {start}, also the {pieces}.",
    ),
    "crown_missing": ("{side} has replied without crowning", "First crown the man on {square}."),
    "crown_wanted": ("The new king on {square} has no second disc", "Put one on."),
    "crown_unearned": (
        "No man has earned a crown on {listed}",
        "Take the upper disc off {listed}.",
    ),
    "crown_unearned_several": (
        "No man has earned a crown on {listed}",
        "Take the upper discs off {listed}.",
    ),
    "crown_removed": ("A king has lost its upper disc", "Put it back on {listed}."),
    "crown_removed_several": ("Kings have lost their upper discs", "Put them back on {listed}."),
    "off_square": ("A disc lies off the dark squares", "Put it right on {square}."),
    "off_square_somewhere": ("A disc lies off the dark squares", "Put it on its square."),
    "upset": ("The pieces were upset", "Set up {listed} again as they were."),
    "upset_one": ("The pieces were upset", "Set up {listed} again as it was."),
    "upset_adding": (
        "The pieces were upset",
        "Set up {listed} again as they were, and remove the {pieces}.",
    ),
    "upset_one_adding": (
        "The pieces were upset",
        "Set up {listed} again as it was, and remove the {pieces}.",
    ),
}
_CONDUCT = {
    "touched_other": ("{side} touched {square} first", "Take {move} back and move {square}."),
    "touched_other_only": ("{side} touched {square} first", ""),
    "touched_unplayable": (
        "{side} touched {square}, which cannot be played",
        "Leave it and {lawful}.",
    ),
    "touched_unplayable_only": ("{side} touched {square}, which cannot be played", ""),
    "touched_off_turn": ("{side} touched {square} off turn", "Wait for your turn."),
    "touched_off_turn_only": ("{side} touched {square} off turn", ""),
    "hand_lingering": (
        "{side}'s hand stayed on {square}",
        "Take it off the board as soon as you have moved.",
    ),
    "hand_lingering_only": ("{side}'s hand stayed on {square}", ""),
    "not_put_right": ("{side} does not put the board right", ""),
    "other_piece_played": (
        "{side} moved {square} incorrectly and must move it correctly",
        "Take {move} back and move {square}.",
    ),
    "crowned_by_owner": ("{side} crowned their own man on {square}", "The opponent crowns."),
}
_DRAWS = {
    "see_saw": ("This position stands for the {nth} time", "A draw may be suggested."),
    "repeated": ("This position stands for the {nth} time", "A draw may be claimed."),
    "no_progress": ("{n} moves of each player were without progress", "A draw may be claimed."),
    "count_started": ("{side}'s next {of} moves are counted", "{side} must show progress."),
    "counted": ("{n} of {of} moves of {side} are counted", ""),
    "count_restarted": ("The count of {of} moves begins again, {cause}", ""),
    "count_complete": (
        "{of} moves of {side} are counted",
        "{side} shows a stronger position or concedes the draw.",
    ),
    "count_over": ("{side}'s position has become stronger", "The count is over."),
    "agreed": ("The players agree", "The game is drawn."),
    "draw_claimed": ("A draw is claimed", "The game is drawn."),
}
_ENDS = {
    "blocked": ("{side} cannot move", "{other} wins."),
    "bare": ("{side} has no piece left", "{other} wins."),
    "resigned": ("{side} resigns", "{other} wins."),
    "forfeited": ("{side} forfeits the game", "{other} wins."),
    "grace": ("{side}'s time is over", "{minutes} more by grace."),
    "grace_over": ("{side}'s time and grace are over", ""),
    "time_over": ("{side}'s time is over", ""),
    "time_lost": ("{side} has lost on time", "{other} wins."),
}
_LESSONS = {
    "must_capture": ("{side} must capture: {captures}", ""),
    "may_go": ("{square} may go to {choice}", ""),
    "may_go_crowning": ("{square} may go to {choice}", "First crown the man on {king}."),
    "may_jump": ("{square} may jump {choice}", ""),
    "may_jump_crowning": ("{square} may jump {choice}", "First crown the man on {king}."),
    "cannot_go": ("{square} cannot move now", "Move {choice} instead."),
    "cannot_go_crowning": (
        "{square} cannot move now",
        "First crown the man on {king}, then move {choice}.",
    ),
    "praise": ("Well found, {n} pieces in one move", ""),
    "crown_now": ("{side} has a new king on {square}", "{other} crowns it before the reply."),
    "change_colours": ("The next game begins", "The players change colours."),
    "change_colours_named": ("The next game begins", "{red} has {first} now and {white} {second}."),
}
_EVENTS = {
    "started": ("A new game begins", ""),
    "seated": ("{red} has {first}, {white} has {second}", ""),
    "seated_next": ("In the next game {red} has {first} and {white} {second}", ""),
    "headed_event": ("The event is {text}", ""),
    "headed_site": ("The site is {text}", ""),
    "headed_round": ("The round is {text}", ""),
    "ready": ("The first position is on the board; the game can begin", ""),
    "waiting": ("The first position is not set up yet: look at {squares}", ""),
    "otherwise": ("The board is not as the record has it now: look at {squares}", ""),
    "played": ("{side} {move}", ""),
    "crowned": ("King on {square}", ""),
    "withdrawn": ("I take {listed} off the record", ""),
    "touched": ("The piece on {square} was touched", ""),
    "touched_beside": ("The piece on {square} was pushed while another moved", ""),
    "lingering": ("{side}'s hand has stayed on {square}", ""),
    "restored": ("The board is in order again; go on", ""),
    "not_watching": ("I cannot see the board: {view}", ""),
    "not_recording": (
        "The game cannot be written down: {why}",
        "Until that changes I announce nothing, write the moves yourselves",
    ),
    "not_recorded": (
        "The end of the game could not be written down: {why}",
        "It stands in the PDN alone",
    ),
    "recording": ("The game is written down again", ""),
    "recording_but": ("The game is written down again, but {reason}", ""),
    "watching": ("I see the board again", ""),
    "moved": ("The board or the camera was moved; I have followed it", ""),
    "unsure": ("I am not sure what was played: was it {choice}?", ""),
    "unsure_way": ("I have not seen the way there: was it {choice}? The first is on record", ""),
    "unsure_replaced": ("Was it {choice}? The first lies on the board, and is on record", ""),
    "unsure_instead": (
        "Was it {choice}? The first is on record, the second lies on the board",
        "",
    ),
    "unsure_where": ("I am not sure what happened: look at {squares}", ""),
    "unsure_open": ("I am not sure what was played; please tell me", ""),
    "corrected": ("The record is in order", ""),
    "corrected_without": ("The record goes on without {listed}", ""),
    "corrected_without_ruling_back": (
        "The record goes on without {listed}, and the last ruling is taken back",
        "",
    ),
    "corrected_without_ruling_back_of": (
        "The record goes on without {listed}, and the last ruling against {side} is taken back",
        "",
    ),
    "ruling_back": ("The last ruling is taken back", ""),
    "ruling_back_of": ("The last ruling against {side} is taken back", ""),
    "let_stand": ("The board stands as it is, it is {side}'s turn", ""),
    "reopened": ("The game goes on", ""),
    "reopened_drawn": ("The draw is taken back: the game goes on", ""),
    "reopened_won": ("{side}'s win is taken back: the game goes on", ""),
    "reopened_stands": ("The game goes on: the board stands as it is, it is {turn}'s turn", ""),
    "reopened_drawn_stands": (
        "The draw is taken back: the board stands as it is, it is {turn}'s turn",
        "",
    ),
    "reopened_won_stands": (
        "{side}'s win is taken back: the board stands as it is, it is {turn}'s turn",
        "",
    ),
    "reopened_without": ("The game goes on without {listed}", ""),
    "reopened_drawn_without": ("The draw is taken back, and {listed} too", ""),
    "reopened_won_without": ("{side}'s win is taken back, and {listed} too", ""),
    "draw_offered": ("{side} offers a draw", ""),
    "draw_declined": ("{side} declines the draw", ""),
    "count_requested": ("{side} asks for the count of moves", ""),
    "strengthened": ("The attacker's position has become stronger", ""),
    "adjusting": ("Adjusting: touches do not count", ""),
    "adjusting_by": ("{side} is adjusting: touches by {side} do not count", ""),
    "clock_set": ("The clock is set: {limits}", ""),
    "clock_off": ("There is no clock", ""),
    "clock_held": ("The clock stands until I can follow the game again", ""),
    "proposed": ("{ruling} Type: confirm {n}, or dismiss {n}", ""),
    "dismissed": ("The proposed ruling is dropped", ""),
    "refused": ("{command} is not possible: {reason}", ""),
    "result": ("{result}: {reason}", ""),
    "entered": ("entered by a person", ""),
    "entered_so": ("entered by a person", "{outcome}."),
}
_REFUSALS = {
    "who": ("say which player", ""),
    "over": ("the game is over", ""),
    "not_begun": ("the game has not begun", ""),
    "left_open": (
        "this game has no move yet, and the last one no result; `referee say` gives it one",
        "",
    ),
    "no_offer": ("the other player has not offered a draw", ""),
    "not_declined": ("a draw must have been offered and declined before", ""),
    "counting": ("moves are being counted already", ""),
    "count_due": ("the count is complete: claim the draw or concede progress", ""),
    "no_count": ("these rules know no count", ""),
    "nothing_counted": ("no moves are being counted", ""),
    "nothing_to_claim": ("there is nothing to claim", ""),
    "claim_of_whom": ("both players have something to claim; say which player", ""),
    "nothing_proposed": ("there is no such proposal", ""),
    "nothing_played": ("no move has been played that could be taken back", ""),
    "no_move": ("{side}, whose turn it is there, has no move", ""),
    "nothing_ruled": ("nothing has been ruled that could be taken back", ""),
    "overruled": ("the last ruling has been taken back already", ""),
    "not_plain": ("the whole board must be in view, without hands", ""),
    "not_asked": ("there is no such move to choose", ""),
    "results": ("a result is one of {choice}", ""),
    "seats": ("two names are needed with a comma between", ""),
    "no_clock_rule": ("these rules say nothing of clocks", ""),
    "no_button": ("there is no clock with a button", ""),
    "not_running": ("it is not that player's time that runs", ""),
}

_REASONS = {
    "{move} is not lawful for {side}: {why}; lawful moves: {moves}": (
        "{move} is not lawful for {side}: {why}; lawful moves: {moves}"
    ),
    "the {side} man on {square} stands on its king-row and must be a king": (
        "{side}'s man on {square} stands on its king-row and must be a king"
    ),
    "{side} has {n} pieces, 12 at most are possible": (
        "{side} has {n} pieces, 12 at most are possible"
    ),
}
"""Only those that name a side."""
_COLOURS = {colour: colour.capitalize() for colour in COLOURS}

_CATALOGUE = Language(
    code="en",
    sentences=_OFFENCES | _CONDUCT | _DRAWS | _ENDS | _LESSONS | _EVENTS | _REFUSALS,
    consequences={
        Verdict.WARNING: "{side} is warned.",
        Verdict.FORFEIT: "{other} may claim the game.",
        Verdict.DRAW_CLAIMABLE: "{side} may claim a draw.",
    },
    words={
        "somebody": "Somebody",
        "and": "and",
        "or": "or",
        "man": "the man",
        "king": "the king",
        "piece on": "piece on",
        "pieces on": "pieces on",
        "square": "square",
        "squares": "squares",
        "proposed": "Proposed: {}",
        "if confirmed": "If confirmed:",
        "play": "play {}",
        "make a move": "make a lawful move",
        "time 2": "second",
        "time 3": "third",
        "guide reference": "guide, reference",
        "online board": "online, board",
        "online draw": "online, draw",
        "online end": "online, end",
        "online king": "online, king",
        "online moving": "online, moving",
        "rules end": "rules, end",
        "rules general": "rules, general",
        "rules king": "rules, king",
        "rules moves": "rules, moves",
        "one minute": "1 minute",
        "minutes": "{} minutes",
        "no_piece": "no piece stands there",
        "wrong_turn": "it is the other side's turn",
        "occupied": "the square is taken",
        "capture_missed": "there is a capture",
        "capture_unfinished": "the capture goes on",
        "king_row": "a man that becomes a king stops there",
        "backward": "a man goes forward only",
        "long_jump": "a jump goes to the square right behind a piece",
        "own_between": "no piece jumps over one of its own",
        "none_between": "there is no piece to jump over",
        "distance": "no piece goes there",
        "way": "the jump went another way",
        "man_advanced": "a man has advanced",
        "captured": "a piece was captured",
        "conceded": "progress is conceded",
        "lost": "it is not where it was",
        "reshaped": "the pictures have another shape than before",
        "disk_full": "the disk is full, make room",
        "disk_read_only": "the disk can only be read",
        "disk_failing": "the disk fails",
        "disk_refuses": "the disk does not take it",
        "-": "to",
        "x": "jumps to",
        "x on": "and on to",
        "another": "another",
        "wins": "{} wins",
        "1/2-1/2": "A draw",
        "*": "The game is broken off",
    },
    colours=_COLOURS,
    reasons=_REASONS,
)
ENGLISH = called(_CATALOGUE, RED_AND_WHITE)
