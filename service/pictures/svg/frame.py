"""One frame as a standalone SVG: heading, table, what happened and facts; no script and nothing from elsewhere."""

from collections.abc import Iterator, Sequence
from html import escape

from domain.play.frames import Frame
from domain.play.sentences import source_sentence
from domain.view import View, Zone
from service.pictures import static_text, words
from service.pictures.spoken import naming, said, spoken
from service.pictures.svg import sheet
from service.pictures.svg.faces import symbol_id, symbols
from service.pictures.svg.placing import Placed, PlacedCard, PlacedZone, place_zones
from service.pictures.svg.spots import HEIGHT, WIDTH
from service.pictures.text import NO_FACES, Faces, marked_facts

_LEAST_WIDTH = 560.0
MOST = 3.4
"""The largest scale of a pile's count, relative to a small table."""
_HEAPS = ("pile", "grid", "ring", "pyramid", "clock")


def drawing(frame: Frame, name: str, faces: Faces = NO_FACES) -> str:
    """The frame of a game of this name as SVG; `faces` are what cards stand for that are no playing cards."""
    zones = () if frame.view is None else frame.view.zones
    table = place_zones(zones)
    width = max(table.width, _LEAST_WIDTH)
    top = sheet.heading(f"{name}, step {frame.step}", list(_lines(frame)), width)
    parts = [top.drawing, _table(table, zones, faces, (width - table.width) / 2, top.height) if zones else ""]
    bottom = top.height + (table.height if zones else 0.0)
    happened = sheet.step_words(frame.sentences, bottom, width)
    facts = sheet.facts(
        [] if frame.view is None else marked_facts(frame.view.facts, faces), bottom + happened.height, width
    )
    parts += [happened.drawing, facts.drawing]
    return _document("".join(parts), width, bottom + happened.height + facts.height, frame, name, faces)


def _lines(frame: Frame) -> Iterator[tuple[str, str]]:
    """Whose turn it is, or how it ended; that it is stuck, or that an undo shows an earlier step again."""
    if frame.source is not None:
        yield source_sentence(frame.source), "table-banner"
    if frame.live_step != frame.step:
        yield f"The table of step {frame.live_step} stands again.", "table-faint"
    if frame.result is not None:
        yield f"The game is over, {words.ending(frame.result)}.", "table-banner"
    elif frame.view is not None:
        yield _turn(frame.view), "table-ink"
        if frame.view.stuck:
            yield "The game is stuck: nothing that can still be done leads on.", "table-banner"


def _turn(view: View[object]) -> str:
    phase = view.phase.replace("_", " ")
    return f"Phase: {phase}. {words.seats(view.to_act).capitalize()} to act." if view.to_act else f"Phase: {phase}."


def _document(content: str, width: float, height: float, frame: Frame, name: str, faces: Faces) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" aria-labelledby="title desc" font-family="system-ui, sans-serif">'
        f'<title id="title">{escape(name)}, step {frame.step}</title>'
        f'<desc id="desc">{escape(spoken(frame, faces))}</desc>'
        f"<style>{static_text('cards.css')}</style>"
        f'<rect class="table-paper" width="{width:g}" height="{height:g}"/>{content}</svg>\n'
    )


def _table(table: Placed, zones: Sequence[Zone], faces: Faces, left: float, top: float) -> str:
    shown = [card for card in table.cards if card.shown]
    groups = [
        _zone(zone, place, [card for card in table.cards if card.zone == zone.id], faces, min(table.scale, MOST))
        for zone, place in zip(zones, table.zones, strict=True)
    ]
    felt = f'<rect class="table-felt" width="{table.width:g}" height="{table.height:g}" rx="14"/>'
    return (
        f'{symbols((card.card for card in shown), faces)}<g transform="translate({left:g} {top:g})">'
        f"{felt}{_plates_of(table)}{_lines_of(table)}{''.join(groups)}</g>"
    )


def _plates_of(table: Placed) -> str:
    return "".join(
        f'<rect class="table-plate" x="{plate.x:g}" y="{plate.y:g}" width="{plate.width:g}" height="{plate.height:g}"'
        ' rx="12"/>'
        for plate in table.plates
    )


def _lines_of(table: Placed) -> str:
    path = "".join("M" + "L".join(f"{x:g} {y:g}" for x, y in line) for line in table.lines)
    return f'<path class="table-line" fill="none" d="{path}"/>' if path else ""


def _zone(zone: Zone, place: PlacedZone, cards: Sequence[PlacedCard], faces: Faces, grown: float) -> str:
    """One place: its words, its label, its cards or its outline, and how many a heap holds."""
    drawn = [_card(card) for card in cards if card.shown] or [_outline(place, faces)]
    return (
        f'<g data-zone-id="{escape(zone.id)}"><title>{escape(said(zone, naming(faces)))}</title>'
        f"{_label(place)}{''.join(drawn)}{_count(zone, place, grown)}</g>"
    )


def _label(place: PlacedZone) -> str:
    if place.label is None:
        return ""
    return "".join(
        sheet.line(text, place.label.x, y, place.label.size, "table-faint")
        for text, y in zip(place.label.lines, place.label.baselines, strict=True)
    )


def _card(card: PlacedCard) -> str:
    return (
        f'<g data-zone="{escape(card.zone)}" data-index="{card.index}" data-card="{escape(card.card)}">'
        f'<use href="#{symbol_id(card.card)}" x="{card.x:g}" y="{card.y:g}" width="100" height="140"/></g>'
    )


def _outline(place: PlacedZone, faces: Faces) -> str:
    """The outline of an empty place; round if all cards of the game are."""
    if faces and all(face.shape == "disc" for face in faces.values()):
        return f'<circle class="table-place" cx="{place.x + WIDTH / 2:g}" cy="{place.y + HEIGHT / 2:g}" r="45"/>'
    return f'<rect class="table-place" x="{place.x:g}" y="{place.y:g}" width="100" height="140" rx="9"/>'


def _count(zone: Zone, place: PlacedZone, grown: float) -> str:
    """The number of cards in the lower left corner; a large number hangs below the corner."""
    if zone.layout not in _HEAPS or place.count < 2:
        return ""
    left, bottom = place.x + 4, place.y + HEIGHT + 1 + 10 * (grown - 1)
    return (
        f'<rect class="table-badge" x="{left:g}" y="{bottom - 22 * grown:g}" width="{36 * grown:g}"'
        f' height="{22 * grown:g}" rx="{11 * grown:g}"/>'
        + sheet.line(
            str(place.count), left + 18 * grown, bottom - 5 * grown, 17 * grown, "table-count", ' text-anchor="middle"'
        )
    )
