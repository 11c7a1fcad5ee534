"""One frame as a standalone SVG: heading, chips, table, the step's sentences and facts; no script, no other file."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.board import HEIGHT, WIDTH, Board, Place, complete_board, derive_boards, seat_board
from domain.capabilities import CardFaces, Chip, Chips
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act
from domain.play.frames import Frame, frames, source_sentence
from domain.play.table import Opening, open_game
from domain.view import View, Viewer, Zone, player_name
from service.pictures import sheet, static_text, words
from service.pictures.cards import symbol_id, symbols
from service.pictures.placing import PlacedCard, cards_of, place_cards
from service.pictures.text import marked_facts
from service.pictures.words import NO_FACES, Faces, naming, speak_frame, speak_zone

_LEAST_WIDTH = 560.0


class Setting(Struct, frozen=True):
    """The game of a frame: its type's name, faces and chips, its board, people's names.

    `board` None: it is derived from the zones. `players`: names by seat, None where a name is not known.
    """

    name: str
    faces: Faces = NO_FACES
    board: Board | None = None
    chips: Sequence[Chip] = ()
    players: Sequence[str | None] = ()

    def name_players(self, text: str) -> str:
        """The text with the names of the players."""
        return words.name_players(text, self.players)


def setting_of(game: Game, viewer: Viewer, players: Sequence[str | None] = ()) -> Setting:
    """The setting of this game in a wide drawing, as this viewer sits."""
    board = seat_board(game.type.boards(game.options, len(game.players)).wide, viewer, len(game.players))
    faces, chips = game.type.get(CardFaces).by_card, game.type.get(Chips).chips
    return Setting(game.type.name, faces, board, chips, players)


def drawing(frame: Frame, setting: Setting) -> str:
    """The frame as SVG."""
    table, board = "", None
    if frame.view is not None and frame.view.zones:
        zones = frame.view.zones
        board = complete_board(setting.board or derive_boards(zones).wide, zones)
    width = max(board.width * WIDTH if board else 0.0, _LEAST_WIDTH)
    lines = [(setting.name_players(text), kind) for text, kind in _lines(frame)]
    top = sheet.heading(f"{setting.name}, step {frame.step}", lines, width)
    facts = {} if frame.view is None else msgspec.to_builtins(frame.view.facts)
    texts = [words.chip_text(chip, facts) for chip in setting.chips if not chip.seat]
    chips = sheet.chips([*map(setting.name_players, texts)], top.height, width)
    bottom = top.height + chips.height
    if board is not None and frame.view is not None:
        table = _table(board, frame.view, setting, ((width - board.width * WIDTH) / 2, bottom))
        bottom += board.height * HEIGHT
    step = sheet.step_words([*map(setting.name_players, frame.sentences)], bottom, width)
    rest = marked_facts(words.leave_out(facts, _shown_facts(setting, frame.view, board, facts)), setting.faces)
    listed = sheet.facts(rest, bottom + step.height, width)
    content = "".join((top.drawing, chips.drawing, table, step.drawing, listed.drawing))
    return _document(content, width, bottom + step.height + listed.height, frame, setting)


def board_drawing(frame: Frame, setting: Setting) -> str:
    """The table alone as SVG, without words round it, as lists of games show it; the game has been dealt."""
    assert frame.view is not None
    zones = frame.view.zones
    board = complete_board(setting.board or derive_boards(zones).wide, zones)
    table = _table(board, frame.view, setting, (0.0, 0.0), small=True)
    return _document(table, board.width * WIDTH, board.height * HEIGHT, frame, setting)


def draw_opening(game_type: AnyGameType) -> str:
    """A game type's picture: the table as the first seat sees it after a deal that is always the same.

    It has default options and the fewest seats.
    """
    players = tuple(UUID(int=seat + 1) for seat in range(game_type.seats[0]))
    opening = Opening(type=game_type, options=game_type.options(), players=players)
    step = open_game(UUID(int=0), opening, ev.Sealed(bytes(32), bytes(32)), Act(players[0], None, 0))
    *_, dealt = frames(step.records, 0)
    names = ("You", "Opponent") if len(players) == 2 else ("You", *(f"Player {place + 1}" for place in range(1, 9)))
    return board_drawing(dealt, setting_of(step.game, 0, names[: len(players)]))


def _shown_facts(
    setting: Setting, view: View[object] | None, board: Board | None, facts: dict[str, object]
) -> list[str]:
    """The paths of the facts that have chips or are drawn on the board; zones of rings are a board themselves."""
    drawn = [] if board is None else [path for figure in board.figures for path in (figure.fact, figure.parts)]
    if view is not None and any(zone.layout == "ring" for zone in view.zones):
        drawn += [name for name, value in facts.items() if words.is_board(value)]
    return [*(chip.fact for chip in setting.chips), *drawn]


def _lines(frame: Frame) -> Iterator[tuple[str, str]]:
    """Whose turn it is, or how it ended; that it is stuck, or that an undo shows an earlier step again."""
    if frame.source is not None:
        yield source_sentence(frame.source), "table-banner"
    if frame.live_step != frame.step:
        yield f"The table of step {frame.live_step} stands again.", "table-faint"
    if frame.result is not None:
        yield f"The game is over, {words.ending(frame.result)}.", "table-banner"
    elif (view := frame.view) is not None:
        turn = f" {words.players(view.to_act)} to act." if view.to_act else ""
        yield f"Phase: {view.phase.replace('_', ' ')}.{turn}", "table-ink"
        if view.stuck:
            yield "The game is stuck: nothing that can still be done leads on.", "table-banner"


def _document(content: str, width: float, height: float, frame: Frame, setting: Setting) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif">'
        f'<title id="title">{escape(setting.name)}, step {frame.step}</title>'
        f'<desc id="desc">{escape(speak_frame(frame, setting.faces))}</desc>'
        f"<style>{static_text('cards.css')}</style>"
        f'<rect class="table-paper" width="{width:g}" height="{height:g}"/>{content}</svg>\n'
    )


def _table(board: Board, view: View[object], setting: Setting, at: tuple[float, float], small: bool = False) -> str:
    """From below: felt, figures, lines, plates, the outlines of empty places, the zones with their cards."""
    cards, zones = place_cards(board, view.zones), {zone.id: zone for zone in view.zones}
    places = [place for place in board.places if place.zone in zones]
    lying = {zone: list(group) for zone, group in groupby(cards, key=lambda card: card.zone)}
    facts = msgspec.to_builtins(view.facts)
    layers = [
        symbols((card.card for card in cards if card.shown), setting.faces, "large" if small else "pips"),
        f'<g transform="translate({at[0]:g} {at[1]:g})">',
        f'<rect class="table-felt" width="{board.width * WIDTH:g}" height="{board.height * HEIGHT:g}" rx="14"/>',
        *(
            sheet.legend(area, [[words.fill_note(cell, facts) for cell in row] for row in area.rows])
            if area.rows
            else sheet.figure(area, words.value_at(facts, area.fact), words.value_at(facts, area.parts))
            for area in board.figures
        ),
        _lines_of(board),
        *_plates(board, view, setting, facts),
        *(_outline(place, setting.faces) for place in places if place.outline and place.zone not in lying),
        *(_zone(zones[place.zone], place, lying.get(place.zone, []), setting, board, facts) for place in places),
        "</g>",
    ]
    return "".join(layers)


def _plates(board: Board, view: View[object], setting: Setting, facts: object) -> Iterator[str]:
    """Who sits where, whose turn it is, and the chips of each seat."""
    for plate in board.seats:
        seat = int(plate.seat)
        chips = [words.chip_text(chip, facts, seat) for chip in setting.chips if chip.seat]
        yield sheet.plate(plate, setting.name_players(player_name(seat)), [*filter(None, chips)], seat in view.to_act)


def _lines_of(board: Board) -> str:
    path = ""
    for x, y, radius in board.circles:  # two half circles from its leftmost point
        across = radius * WIDTH
        half = f"a{across:g} {across:g} 0 0 1 "
        path += f"M{x * WIDTH - across:g} {y * HEIGHT:g}{half}{2 * across:g} 0{half}{-2 * across:g} 0"
    for line in board.lines:
        path += "M" + "L".join(f"{x * WIDTH:g} {y * HEIGHT:g}" for x, y in line)
    return f'<path class="table-line" fill="none" d="{path}"/>' if path else ""


def _zone(zone: Zone, place: Place, cards: Sequence[PlacedCard], setting: Setting, board: Board, facts: object) -> str:
    """One place: its words, its label up to the next one in its row, its cards, and its note or the size of a heap."""
    text = setting.name_players(speak_zone(zone, naming(setting.faces)))
    drawn = "".join(_card(card) for card in cards if card.shown)
    label = ""
    if place.label and (zone.cards or zone.face_down or place.outline):
        others = [other.x for other in board.places if other.label and other.x > place.x and abs(other.y - place.y) < 1]
        room = (min([board.width, *others]) - place.x - 0.04) * WIDTH
        label = sheet.label(
            place.title or setting.name_players(zone.label), place.x * WIDTH + 2, place.y * HEIGHT - 6, room
        )
    note = words.fill_note(place.note, facts)
    badge = _badge(note, 50, place) if note else "" if place.note else _count(zone, place)
    return f'<g data-zone-id="{escape(zone.id)}"><title>{escape(text)}</title>{label}{drawn}{badge}</g>'


def _card(card: PlacedCard) -> str:
    wide, high = WIDTH * card.scale, HEIGHT * card.scale
    turn = f' transform="rotate({card.turn:g} {card.x + wide / 2:g} {card.y + high / 2:g})"' if card.turn else ""
    return (
        f'<g data-zone="{escape(card.zone)}" data-index="{card.index}" data-card="{escape(card.card)}"{turn}>'
        f'<use href="#{symbol_id(card.card)}" x="{card.x:g}" y="{card.y:g}" width="{wide:g}" height="{high:g}"/></g>'
    )


def _outline(place: Place, faces: Faces) -> str:
    """The outline of an empty place with its mark; round if all cards of the game are."""
    if faces and all(face.shape == "disc" for face in faces.values()):
        shape = '<circle class="table-place" cx="50" cy="70" r="45"/>'
    else:
        shape = '<rect class="table-place" x="1" y="1" width="98" height="138" rx="9"/>'
    turn = f" rotate({place.turn:g} 50 70)" if place.turn else ""
    return (
        f'<g transform="translate({place.x * WIDTH:g} {place.y * HEIGHT:g}) scale({place.scale:g}){turn}">{shape}'
        f"{sheet.mark(place.mark)}</g>"
    )


def _count(zone: Zone, place: Place) -> str:
    """The number of cards of a heap, in its lower left corner or, where it is turned, in the middle of its back."""
    count = len(cards_of(zone))
    if place.spread != "pile" or place.mark or count < 2 or (place.turn and zone.cards):
        return ""
    return _badge(str(count), 50 if place.turn else 22, place, 59 if place.turn else 114)


def _badge(text: str, middle: float, place: Place, top: float = 114) -> str:
    """A few words on a pile, round this middle."""
    size = min(17, 107 / (0.55 * len(text) + 1))
    width = size * (0.55 * max(len(text), 2) + 1)
    return (
        f'<g transform="translate({place.x * WIDTH:g} {place.y * HEIGHT:g}) scale({place.scale:g})">'
        f'<rect class="table-badge" x="{middle - width / 2:g}" y="{top:g}" width="{width:g}" height="22" rx="11"/>'
        + sheet.line(text, middle, top + 17, size, "table-count", ' text-anchor="middle"')
        + "</g>"
    )
