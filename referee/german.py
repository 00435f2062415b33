"""What the referee says in German."""

from __future__ import annotations

from referee.colours import RED_AND_WHITE
from referee.events import Verdict
from referee.language import Language, called

_OFFENCES = {
    "wrong_turn": ("{turn} ist am Zug", "Stelle {piece} auf {start} zurück."),
    "wrong_turn_removing": (
        "{turn} ist am Zug",
        "Stelle {piece} auf {start} zurück, auch {pieces}.",
    ),
    "capture_missed": ("{turn} muss schlagen", "Stelle {piece} auf {start} zurück und {lawful}."),
    "capture_unfinished": ("{side} muss weiterschlagen", "Jetzt {lawful}."),
    "capture_unfinished_due": (
        "{side} hat nicht weitergeschlagen",
        "Stelle {piece} auf {start} zurück. Der Stein auf {due} muss ziehen: {lawful}.",
    ),
    "capture_unfinished_removing_due": (
        "{side} hat nicht weitergeschlagen",
        "Stelle {piece} auf {start} zurück, auch {pieces}."
        " Der Stein auf {due} muss ziehen: {lawful}.",
    ),
    "jumped_piece_left": ("{side} hat nicht alles Geschlagene weggenommen", "Nimm {pieces} weg."),
    "own_piece_removed": (
        "{side} hat einen eigenen Stein weggenommen",
        "Stelle {pieces} zurück, dann {lawful}.",
    ),
    "own_piece_removed_beside": (
        "{side} fehlt abseits des Zuges ein Stein",
        "Stelle {pieces} zurück; {move} gilt.",
    ),
    "own_piece_removed_moving": (
        "{side} hat einen eigenen Stein weggenommen",
        "Stelle {piece} auf {start} zurück, auch {pieces}, dann {lawful}.",
    ),
    "own_piece_removed_after": (
        "{side} hat einen eigenen Stein weggenommen",
        "Stelle {pieces} zurück; das Schlagen gilt.",
    ),
    "own_piece_removed_several": (
        "{side} hat eigene Steine weggenommen",
        "Stelle {pieces} zurück, dann {lawful}.",
    ),
    "own_piece_removed_after_several": (
        "{side} hat eigene Steine weggenommen",
        "Stelle {pieces} zurück; das Schlagen gilt.",
    ),
    "wrong_piece_removed_after": (
        "{side} hat einen Stein weggenommen, der nicht übersprungen war",
        "Stelle {pieces} zurück; das Schlagen gilt.",
    ),
    "wrong_piece_removed": (
        "{side} hat einen Stein weggenommen, der nicht übersprungen war",
        "Stelle {pieces} zurück, dann {lawful}.",
    ),
    "wrong_piece_removed_several": (
        "{side} hat Steine weggenommen, die nicht übersprungen waren",
        "Stelle {pieces} zurück, dann {lawful}.",
    ),
    "wrong_piece_removed_after_several": (
        "{side} hat Steine weggenommen, die nicht übersprungen waren",
        "Stelle {pieces} zurück; das Schlagen gilt.",
    ),
    "wrong_piece_removed_moving": (
        "{side} hat einen Stein weggenommen, der nicht übersprungen war",
        "Stelle {piece} auf {start} zurück, auch {pieces}, dann {lawful}.",
    ),
    "illegal_step": (
        "{start} nach {end} ist nicht erlaubt, {why}",
        "Stelle {piece} auf {start} zurück und {lawful}.",
    ),
    "illegal_step_removing": (
        "{start} nach {end} ist nicht erlaubt, {why}",
        "Stelle {piece} auf {start} zurück, auch {pieces}, und {lawful}.",
    ),
    "illegal_step_due": (
        "{start} nach {end} ist nicht erlaubt, {why}",
        "Stelle {piece} auf {start} zurück. Der Stein auf {due} muss ziehen: {lawful}.",
    ),
    "illegal_step_removing_due": (
        "{start} nach {end} ist nicht erlaubt, {why}",
        "Stelle {piece} auf {start} zurück, auch {pieces}."
        " Der Stein auf {due} muss ziehen: {lawful}.",
    ),
    "illegal_step_on_light": (
        "Auf einem hellen Feld darf kein Stein stehen",
        "Stelle {piece} auf {start} zurück und {lawful}.",
    ),
    "illegal_step_on_light_due": (
        "Auf einem hellen Feld darf kein Stein stehen",
        "Stelle {piece} auf {start} zurück. Der Stein auf {due} muss ziehen: {lawful}.",
    ),
    "piece_added": ("Es ist ein Stein zu viel da", "Nimm {pieces} weg."),
    "piece_added_several": ("Es sind zu viele Steine da", "Nimm {pieces} weg."),
    "piece_removed": ("Es fehlt ein Stein", "Stelle {pieces} zurück."),
    "piece_removed_several": ("Es fehlen Steine", "Stelle {pieces} zurück."),
    "piece_displaced": ("Ein Stein wurde versetzt", "Stelle {piece} auf {start} zurück."),
    "piece_displaced_to": (
        "Ein Stein wurde versetzt",
        "Stelle {piece} von {listed} auf {start} zurück.",
    ),
    "piece_displaced_to_removing": (
        "Ein Stein wurde versetzt",
        "Stelle {piece} von {listed} auf {start} zurück, auch {pieces}.",
    ),
    "crown_missing": (
        "{side} hat geantwortet, ohne zu krönen",
        "Kröne zuerst den Stein auf {square}.",
    ),
    "crown_wanted": ("Die neue Dame auf {square} hat keine zweite Scheibe", "Setze eine auf."),
    "crown_unearned": (
        "Auf {listed} hat kein Stein eine Krone verdient",
        "Nimm die obere Scheibe von {listed} weg.",
    ),
    "crown_unearned_several": (
        "Auf {listed} hat kein Stein eine Krone verdient",
        "Nimm die oberen Scheiben von {listed} weg.",
    ),
    "crown_removed_several": (
        "Mehreren Damen fehlt die obere Scheibe",
        "Lege sie wieder auf {listed}.",
    ),
    "crown_removed": (
        "Einer Dame fehlt die obere Scheibe",
        "Lege sie wieder auf {listed}.",
    ),
    "off_square": ("Eine Scheibe liegt nicht auf einem dunklen Feld", "Lege sie auf {square}."),
    "off_square_somewhere": (
        "Eine Scheibe liegt nicht auf einem dunklen Feld",
        "Lege sie auf ihr Feld.",
    ),
    "upset": (
        "Die Steine wurden umgeworfen",
        "Stelle die Steine auf {listed} wieder auf wie zuvor.",
    ),
    "upset_one": (
        "Die Steine wurden umgeworfen",
        "Stelle den Stein auf {listed} wieder auf wie zuvor.",
    ),
    "upset_adding": (
        "Die Steine wurden umgeworfen",
        "Stelle die Steine auf {listed} wieder auf wie zuvor und nimm {pieces} weg.",
    ),
    "upset_one_adding": (
        "Die Steine wurden umgeworfen",
        "Stelle den Stein auf {listed} wieder auf wie zuvor und nimm {pieces} weg.",
    ),
}
_CONDUCT = {
    "touched_other": (
        "{side} hat zuerst {square} berührt",
        "Nimm {move} zurück und ziehe mit {square}.",
    ),
    "touched_other_only": ("{side} hat zuerst {square} berührt", ""),
    "touched_unplayable": (
        "{side} hat {square} berührt und kann damit nicht ziehen",
        "Lass {square} stehen und {lawful}.",
    ),
    "touched_unplayable_only": ("{side} hat {square} berührt und kann damit nicht ziehen", ""),
    "touched_off_turn": (
        "{side} hat {square} berührt und ist nicht am Zug",
        "Warte, bis du am Zug bist.",
    ),
    "touched_off_turn_only": ("{side} hat {square} berührt und ist nicht am Zug", ""),
    "hand_lingering": (
        "Die Hand von {side} blieb auf {square}",
        "Nimm sie nach dem Zug gleich vom Brett.",
    ),
    "hand_lingering_only": ("Die Hand von {side} blieb auf {square}", ""),
    "not_put_right": ("{side} bringt das Brett nicht in Ordnung", ""),
    "other_piece_played": (
        "{side} hat mit {square} falsch gezogen und muss damit richtig ziehen",
        "Nimm {move} zurück und ziehe mit {square}.",
    ),
    "crowned_by_owner": ("{side} hat den eigenen Stein auf {square} gekrönt", "Der Gegner krönt."),
}
_DRAWS = {
    "see_saw": ("Diese Stellung steht zum {nth} Mal", "Remis darf vorgeschlagen werden."),
    "repeated": ("Diese Stellung steht zum {nth} Mal", "Remis darf beansprucht werden."),
    "no_progress": (
        "Je {n} Züge beider Spieler waren ohne Fortschritt",
        "Remis darf beansprucht werden.",
    ),
    "count_started": (
        "Die nächsten {of} Züge von {side} zählen",
        "{side} muss Fortschritt zeigen.",
    ),
    "counted": ("{n} von {of} Zügen von {side} sind gezählt", ""),
    "count_restarted": ("Die Zählung der {of} Züge beginnt neu, {cause}", ""),
    "count_complete": (
        "{of} Züge von {side} sind gezählt",
        "{side} zeigt eine stärkere Stellung oder willigt ins Remis ein.",
    ),
    "count_over": ("Die Stellung von {side} ist stärker geworden", "Die Zählung ist zu Ende."),
    "agreed": ("Die Spieler einigen sich", "Das Spiel ist remis."),
    "draw_claimed": ("Remis wird beansprucht", "Das Spiel ist remis."),
}
_ENDS = {
    "blocked": ("{side} kann nicht ziehen", "{other} gewinnt."),
    "bare": ("{side} hat keinen Stein mehr", "{other} gewinnt."),
    "resigned": ("{side} gibt auf", "{other} gewinnt."),
    "forfeited": ("{side} verwirkt das Spiel", "{other} gewinnt."),
    "grace": ("Die Zeit von {side} ist um", "Es bleibt eine Nachfrist von {minutes}."),
    "grace_over": ("Die Zeit von {side} und die Nachfrist sind um", ""),
    "time_over": ("Die Zeit von {side} ist um", ""),
    "time_lost": ("{side} hat die Zeit überschritten", "{other} gewinnt."),
}
_LESSONS = {
    "must_capture": ("{side} muss schlagen: {captures}", ""),
    "may_go": ("{square} darf nach {choice}", ""),
    "may_go_crowning": ("{square} darf nach {choice}", "Kröne zuerst den Stein auf {king}."),
    "may_jump": ("{square} darf so springen: {choice}", ""),
    "may_jump_crowning": (
        "{square} darf so springen: {choice}",
        "Kröne zuerst den Stein auf {king}.",
    ),
    "cannot_go": ("{square} kann jetzt nicht ziehen", "Ziehe stattdessen mit {choice}."),
    "cannot_go_crowning": (
        "{square} kann jetzt nicht ziehen",
        "Kröne zuerst den Stein auf {king} und ziehe dann mit {choice}.",
    ),
    "praise": ("Gut gefunden, {n} Steine in einem Zug", ""),
    "crown_now": (
        "{side} hat eine neue Dame auf {square}",
        "{other} krönt sie vor der Antwort.",
    ),
    "change_colours": ("Das nächste Spiel beginnt", "Die Spieler tauschen die Farben."),
    "change_colours_named": (
        "Das nächste Spiel beginnt",
        "{red} hat jetzt {first} und {white} {second}.",
    ),
}
_EVENTS = {
    "started": ("Ein neues Spiel beginnt", ""),
    "seated": ("{red} hat {first}, {white} hat {second}", ""),
    "seated_next": ("Im nächsten Spiel hat {red} {first} und {white} {second}", ""),
    "headed_event": ("Die Veranstaltung ist {text}", ""),
    "headed_site": ("Der Ort ist {text}", ""),
    "headed_round": ("Die Runde ist {text}", ""),
    "ready": ("Die erste Stellung steht; das Spiel kann beginnen", ""),
    "waiting": ("Die erste Stellung steht noch nicht: schau auf {squares}", ""),
    "otherwise": ("Das Brett steht anders, als jetzt aufgezeichnet ist: schau auf {squares}", ""),
    "played": ("{side} {move}", ""),
    "crowned": ("Dame auf {square}", ""),
    "withdrawn": ("Ich streiche {listed} aus der Aufzeichnung", ""),
    "touched": ("Die Scheibe auf {square} wurde berührt", ""),
    "touched_beside": ("Die Scheibe auf {square} wurde neben einem Zug verschoben", ""),
    "lingering": ("Die Hand von {side} ist auf {square} geblieben", ""),
    "restored": ("Das Brett ist wieder in Ordnung; weiter", ""),
    "not_watching": ("Ich sehe das Brett nicht: {view}", ""),
    "not_recording": (
        "Das Spiel kann nicht aufgeschrieben werden: {why}",
        "Bis sich das ändert, sage ich nichts an, schreibt die Züge selbst auf",
    ),
    "not_recorded": (
        "Das Ende des Spiels konnte nicht aufgeschrieben werden: {why}",
        "Es steht nur im PDN",
    ),
    "recording": ("Das Spiel wird wieder aufgeschrieben", ""),
    "recording_but": ("Das Spiel wird wieder aufgeschrieben, aber {reason}", ""),
    "watching": ("Ich sehe das Brett wieder", ""),
    "moved": ("Brett oder Kamera wurde bewegt; ich habe mich darauf eingestellt", ""),
    "unsure": ("Ich bin nicht sicher, was gezogen wurde: war es {choice}?", ""),
    "unsure_way": (
        "Den Weg dorthin habe ich nicht gesehen: war es {choice}? Aufgezeichnet ist der erste",
        "",
    ),
    "unsure_replaced": ("War es {choice}? Der erste liegt auf dem Brett und ist aufgezeichnet", ""),
    "unsure_instead": (
        "War es {choice}? Aufgezeichnet ist der erste, auf dem Brett liegt der zweite",
        "",
    ),
    "unsure_where": (
        "Ich bin nicht sicher, was geschehen ist: schau auf {squares}",
        "",
    ),
    "unsure_open": ("Ich bin nicht sicher, was gezogen wurde; bitte sagen", ""),
    "let_stand": ("Das Brett gilt, wie es steht; {side} ist am Zug", ""),
    "corrected": ("Die Aufzeichnung ist in Ordnung", ""),
    "corrected_without": ("Die Aufzeichnung geht ohne {listed} weiter", ""),
    "corrected_without_ruling_back": (
        "Die Aufzeichnung geht ohne {listed} weiter, die letzte Entscheidung ist zurückgenommen",
        "",
    ),
    "corrected_without_ruling_back_of": (
        "Die Aufzeichnung geht ohne {listed} weiter,"
        " die letzte Entscheidung gegen {side} ist zurückgenommen",
        "",
    ),
    "ruling_back": ("Die letzte Entscheidung ist zurückgenommen", ""),
    "ruling_back_of": ("Die letzte Entscheidung gegen {side} ist zurückgenommen", ""),
    "reopened": ("Das Spiel geht weiter", ""),
    "reopened_drawn": ("Das Remis gilt nicht mehr: das Spiel geht weiter", ""),
    "reopened_won": ("Der Gewinn von {side} gilt nicht mehr: das Spiel geht weiter", ""),
    "reopened_stands": (
        "Das Spiel geht weiter: das Brett gilt, wie es steht; {turn} ist am Zug",
        "",
    ),
    "reopened_drawn_stands": (
        "Das Remis gilt nicht mehr: das Brett gilt, wie es steht; {turn} ist am Zug",
        "",
    ),
    "reopened_won_stands": (
        "Der Gewinn von {side} gilt nicht mehr: das Brett gilt, wie es steht; {turn} ist am Zug",
        "",
    ),
    "reopened_without": ("Das Spiel geht ohne {listed} weiter", ""),
    "reopened_drawn_without": ("Das Remis gilt nicht mehr, {listed} auch nicht", ""),
    "reopened_won_without": ("Der Gewinn von {side} gilt nicht mehr, {listed} auch nicht", ""),
    "draw_offered": ("{side} bietet Remis an", ""),
    "draw_declined": ("{side} lehnt das Remis ab", ""),
    "count_requested": ("{side} verlangt, dass die Züge gezählt werden", ""),
    "strengthened": ("Die Stellung des Angreifers ist stärker geworden", ""),
    "adjusting": ("Es wird zurechtgerückt: Berühren zählt nicht", ""),
    "adjusting_by": ("{side} rückt zurecht: Berühren durch {side} zählt nicht", ""),
    "clock_set": ("Die Uhr ist gestellt: {limits}", ""),
    "clock_off": ("Es läuft keine Uhr", ""),
    "clock_held": ("Die Uhr steht, bis ich dem Spiel wieder folgen kann", ""),
    "proposed": ("{ruling} Tippe: confirm {n} oder dismiss {n}", ""),
    "dismissed": ("Die vorgeschlagene Entscheidung ist verworfen", ""),
    "refused": ("{command} geht nicht: {reason}", ""),
    "result": ("{result}: {reason}", ""),
    "entered": ("von Hand eingetragen", ""),
    "entered_so": ("von Hand eingetragen", "{outcome}."),
}
_REFUSALS = {
    "who": ("sage, welcher Spieler", ""),
    "over": ("das Spiel ist zu Ende", ""),
    "not_begun": ("das Spiel hat noch nicht begonnen", ""),
    "left_open": (
        "dieses Spiel hat noch keinen Zug, das letzte kein Ergebnis; `referee say` gibt ihm eins",
        "",
    ),
    "no_offer": ("der andere Spieler hat kein Remis angeboten", ""),
    "not_declined": ("erst muss Remis angeboten und abgelehnt worden sein", ""),
    "counting": ("es werden schon Züge gezählt", ""),
    "count_due": (
        "die Zählung ist vollständig: beanspruche Remis, oder gib den Fortschritt zu",
        "",
    ),
    "no_count": ("diese Regeln kennen keine Zählung", ""),
    "nothing_counted": ("es werden keine Züge gezählt", ""),
    "nothing_to_claim": ("es gibt nichts zu beanspruchen", ""),
    "claim_of_whom": ("beide Spieler haben etwas zu beanspruchen; sage, wer", ""),
    "nothing_proposed": ("es gibt keinen solchen Vorschlag", ""),
    "nothing_played": ("es gibt keinen Zug, der zurückgenommen werden könnte", ""),
    "no_move": ("{side} wäre dort am Zug und hat keinen", ""),
    "nothing_ruled": ("es gibt keine Entscheidung, die zurückgenommen werden könnte", ""),
    "overruled": ("die letzte Entscheidung ist schon zurückgenommen", ""),
    "not_plain": ("das ganze Brett muss zu sehen sein, ohne Hände", ""),
    "not_asked": ("es gibt keinen solchen Zug zur Wahl", ""),
    "results": ("ein Ergebnis ist {choice}", ""),
    "seats": ("zwei Namen mit einem Komma dazwischen sind nötig", ""),
    "no_clock_rule": ("diese Regeln sagen nichts über Uhren", ""),
    "no_button": ("es gibt keine Uhr mit Knopf", ""),
    "not_running": ("die Zeit dieses Spielers läuft nicht", ""),
}
_SET_UP = {
    "no board of 8 by 8 squares was found in the picture": (
        "im Bild ist kein Brett mit 8 mal 8 Feldern zu finden"
    ),
    "the picture is too dark to see a board": "das Bild ist zu dunkel, um ein Brett zu sehen",
    "there are two boards, or a chequered cloth, in the picture: leave only one in view": (
        "im Bild sind zwei Bretter oder ein kariertes Tuch: lass nur ein Brett darin"
    ),
    "the grid of squares is larger than 8 by 8: this is not a draughts board": (
        "das Muster hat mehr als 8 mal 8 Felder: das ist kein Damebrett"
    ),
    "too little of the board can be seen": "vom Brett ist zu wenig zu sehen",
    "an outer row of the board cannot be seen": "eine äußere Reihe des Bretts ist nicht zu sehen",
    "it is not certain which 8 by 8 squares are the board: a row is hidden": (
        "es ist nicht sicher, welche 8 mal 8 Felder das Brett sind: eine Reihe ist verdeckt"
    ),
    "the board runs out of the picture at the {side}": "das Brett ragt {side} aus dem Bild",
    "left": "links",
    "right": "rechts",
    "top": "oben",
    "bottom": "unten",
    "the board lies a quarter turn wrong (each player has the dark corner on the left), or the"
    " camera mirrors its picture": (
        "das Brett liegt um eine Vierteldrehung falsch (jeder hat die dunkle Ecke links), oder die"
        " Kamera spiegelt ihr Bild"
    ),
    "a board was found, but {position} does not stand on it yet": (
        "ein Brett ist zu sehen, aber {position} steht noch nicht darauf"
    ),
    "the starting position": "die Anfangsstellung",
    "the position to start from": "die erste Stellung",
    "not ready yet: look at square {square}": "noch nicht bereit: schau auf Feld {square}",
    "not ready yet: look at squares {squares}": (
        "noch nicht bereit: schau auf die Felder {squares}"
    ),
    "part of the board is hidden by a hand, or by a lamp that is mirrored in it": (
        "ein Teil des Bretts ist von einer Hand verdeckt, oder eine Lampe spiegelt sich darin"
    ),
    "the two sides look alike in this light: add light or turn the lamp away": (
        "die beiden Seiten sehen in diesem Licht gleich aus: mache mehr Licht oder drehe die"
        " Lampe weg"
    ),
    "colours are learnt from discs of both sides and bare squares: show them all": (
        "die Farben lerne ich an Scheiben beider Seiten und an leeren Feldern: zeige sie alle"
    ),
    "the camera gives no picture": "die Kamera gibt kein Bild",
    "no picture was seen": "es war kein Bild zu sehen",
    "the text copy of the game cannot be written: {error}": (
        "die Abschrift des Spiels als Text kann nicht geschrieben werden: {error}"
    ),
}
_TYPED = {
    "{text} is not a move such as 11-15 or 18x25": "{text} ist kein Zug wie 11-15 oder 18x25",
    "square {square} is not within 1 to 32": "Feld {square} gibt es nicht, nur 1 bis 32",
    "{move} is not lawful for {side}: {why}; lawful moves: {moves}": (
        "{move} ist für {side} nicht erlaubt: {why}; erlaubt: {moves}"
    ),
    "none": "kein Zug",
    "there is no piece on the first square": "auf dem ersten Feld steht kein Stein",
    "it is the other side's turn": "der andere ist am Zug",
    "the last square is occupied": "das letzte Feld ist besetzt",
    "there is a capture, and capturing is compulsory": (
        "es kann geschlagen werden, und Schlagen ist Pflicht"
    ),
    "the capture can go on and must be finished": "der Schlag geht weiter und ist zu vollenden",
    "a man moves forward only": "ein Stein zieht nur vorwärts",
    "a capture ends where a man becomes a king": "ein Schlag endet, wo ein Stein Dame wird",
    "no piece jumps over one of its own side": "niemand springt über einen eigenen Stein",
    "there is no piece between to jump over": "dazwischen steht kein Stein, den man schlägt",
    "no piece reaches that square": "dorthin zieht kein Stein",
    "it does not take that way": "so geht der Schlag nicht",
    "{move} may be {choice}": "{move} kann {choice} sein",
    "a clock is set as 5+1 or 30/60 (moves/minutes), also with reset or button, or off": (
        "eine Uhr stellt man mit 5+1 oder 30/60 (Züge/Minuten), auch mit reset oder button,"
        " oder mit off"
    ),
    "there is no command {name}; help lists them": (
        "den Befehl {name} gibt es nicht; help zeigt alle"
    ),
    "{name} is said like this: {usage}": "{name} sagt man so: {usage}",
    "Ctrl-C ends the watching, and the record is kept": (
        "Strg-C beendet das Beobachten, und die Aufzeichnung bleibt"
    ),
    "I am looking away already": "ich schaue schon weg",
    "I am looking already": "ich schaue schon hin",
    "{line} waits until I have found the board": "{line} wartet, bis ich das Brett gefunden habe",
    "there is no piece on the board": "auf dem Brett steht kein Stein",
    "only periods can be reset": "reset gilt nur für Zeitabschnitte wie 30/60",
    "the side to move is W or B, not {text}": "am Zug ist W oder B, nicht {text}",
    "a list of pieces begins with W or B, not {text}": (
        "eine Liste von Steinen beginnt mit W oder B, nicht mit {text}"
    ),
    "{n} lists of pieces for {letter}, one is needed": (
        "für {letter} sind {n} Listen von Steinen da, nötig ist eine"
    ),
    "{text} is not a square": "{text} ist kein Feld",
    "{text} is not within 1 to 32": "{text} liegt nicht zwischen 1 und 32",
    "square {square} is named twice": "Feld {square} ist zweimal genannt",
    "square {square} has the unknown sign {sign}": (
        "auf Feld {square} steht das unbekannte Zeichen {sign}"
    ),
    "the {side} man on {square} stands on its king-row and must be a king": (
        "der Stein von {side} auf {square} steht auf seiner Damenreihe und muss eine Dame sein"
    ),
    "{side} has {n} pieces, 12 at most are possible": "{side} hat {n} Steine, möglich sind 12",
}

_COLOURS = {
    "red": "Rot",
    "white": "Weiß",
    "black": "Schwarz",
    "yellow": "Gelb",
    "green": "Grün",
    "blue": "Blau",
    "brown": "Braun",
    "dark": "Dunkel",
    "light": "Hell",
}

_CATALOGUE = Language(
    code="de",
    sentences=_OFFENCES | _CONDUCT | _DRAWS | _ENDS | _LESSONS | _EVENTS | _REFUSALS,
    consequences={
        Verdict.WARNING: "{side} ist verwarnt.",
        Verdict.FORFEIT: "{other} darf das Spiel beanspruchen.",
        Verdict.DRAW_CLAIMABLE: "{side} darf Remis beanspruchen.",
    },
    words={
        "somebody": "Jemand",
        "and": "und",
        "or": "oder",
        "man": "den Stein",
        "king": "die Dame",
        "piece on": "den Stein auf",
        "pieces on": "die Steine auf",
        "square": "Feld",
        "squares": "die Felder",
        "proposed": "Vorschlag: {}",
        "if confirmed": "Wenn bestätigt:",
        "play": "spiele {}",
        "make a move": "mache einen erlaubten Zug",
        "time 2": "zweiten",
        "time 3": "dritten",
        "guide reference": "guide, Übersicht",
        "online board": "online, Brett",
        "online draw": "online, Remis",
        "online end": "online, Ende",
        "online king": "online, Dame",
        "online moving": "online, Ziehen",
        "rules end": "Regeln, Ende",
        "rules general": "Regeln, Allgemeines",
        "rules king": "Regeln, Dame",
        "rules moves": "Regeln, Züge",
        "one minute": "einer Minute",
        "minutes": "{} Minuten",
        "no_piece": "dort steht kein Stein",
        "wrong_turn": "der andere ist am Zug",
        "occupied": "das Feld ist besetzt",
        "capture_missed": "es kann geschlagen werden",
        "capture_unfinished": "der Schlag geht weiter",
        "king_row": "ein Stein, der Dame wird, bleibt dort stehen",
        "backward": "ein Stein zieht nur vorwärts",
        "long_jump": "ein Sprung landet gleich hinter dem Stein",
        "own_between": "niemand springt über einen eigenen Stein",
        "none_between": "dazwischen steht kein Stein, den man schlägt",
        "distance": "dorthin zieht kein Stein",
        "way": "der Sprung ging anders",
        "man_advanced": "ein Stein ist vorgerückt",
        "captured": "ein Stein wurde geschlagen",
        "conceded": "der Fortschritt ist zugegeben",
        "covered": "verdeckt",
        "dark": "zu dunkel",
        "blurred": "unscharf",
        "frozen": "das Bild steht",
        "lost": "es ist nicht, wo es war",
        "reshaped": "die Bilder haben ein anderes Format als zuvor",
        "disk_full": "der Datenträger ist voll, mache Platz",
        "disk_read_only": "der Datenträger lässt sich nur lesen",
        "disk_failing": "der Datenträger versagt",
        "disk_refuses": "der Datenträger nimmt es nicht an",
        "no picture": "kein Bild",
        "paused": "Pause",
        "-": "nach",
        "x": "springt auf",
        "x on": "und weiter auf",
        "another": "anders",
        "wins": "{} gewinnt",
        "1/2-1/2": "Remis",
        "*": "Das Spiel ist abgebrochen",
    },
    colours=_COLOURS,
    reasons=_SET_UP | _TYPED,
)
GERMAN = called(_CATALOGUE, RED_AND_WHITE)
