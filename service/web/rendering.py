"""Pages as answers: templates in Jinja2 with autoescape, the few words they know beyond it, and headers."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Response
from markupsafe import Markup

from domain.capabilities import Presets
from domain.games import GAME_TYPES
from service.house.players import levels_of
from service.http.negotiation import choose_coding
from service.http.representation import CODERS, SHORT
from service.http.security_headers import DOCUMENTS, NO_STORE
from service.pictures.words import name_players
from service.web.pictures import picture_of
from service.web.static_files import address

HTML = "text/html"  # in UTF-8, as the framework adds
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {"Content-Security-Policy": _POLICY, "Cache-Control": NO_STORE, **DOCUMENTS}
"""Added to those of every answer: no inline code, nothing from other origins."""


def render_page(template: str, status_code: int, **values: Any) -> Response[Any]:
    """This template with these values as an answer; every value is escaped unless it is markup of ours."""
    return Response(fill_template(template, **values), status_code=status_code, media_type=HTML, headers=HEADERS)


def compress_page(headers: Iterable[tuple[bytes, bytes]], answer: Response[Any]) -> None:
    """Compress a page for whoever has no session: it holds no secret that its length could tell (BREACH)."""
    text = answer.content
    if not isinstance(text, str) or len(text) < SHORT or answer.cookies:
        return
    answer.headers["Vary"] = "Accept-Encoding"
    if (coding := choose_coding(headers, *CODERS)) is not None:
        answer.content, answer.headers["Content-Encoding"] = CODERS[coding](text.encode()), coding


def fill_template(template: str, **values: Any) -> str:
    """This template with these values as text."""
    return _ENVIRONMENT.get_template(template).render(**values)


def redirect(where: str) -> Response[Any]:
    """A redirect after a posted form, or to the page to sign in at (303)."""
    return Response(None, status_code=303, headers={**HEADERS, "Location": where})


def when(moment: datetime) -> Markup:
    """A time as people and programs read it, in UTC."""
    exact, said = moment.isoformat().replace("+00:00", "Z"), f"{moment.day} {moment:%b %Y, %H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(exact, said)


def day(moment: date) -> Markup:
    """A day as people and programs read it; of a time its day in UTC."""
    return Markup('<time datetime="{}">{}</time>').format(f"{moment:%Y-%m-%d}", f"{moment.day} {moment:%b %Y}")


_SEAT = re.compile(r"\bseat_(\d+)\b")


def words(slug: object) -> str:
    """`all_home` as `all home`, `seat_0` as `player 1`: people count from 1."""
    return _SEAT.sub(lambda found: f"player {int(found[1]) + 1}", str(slug)).replace("_", " ")


def title(slug: object) -> str:
    """`all_home` as `All home`."""
    said = words(slug)
    return said[:1].upper() + said[1:]


def house_levels(key: str) -> Sequence[str]:
    """How strong the house's bots for this game type are; none where it does not play."""
    return levels_of(GAME_TYPES[key])


def type_name(key: str) -> str:
    """What the game type is called."""
    return GAME_TYPES[key].name if key in GAME_TYPES else title(key)


def chosen(value: object, key: str, option: str) -> str:
    """An option's value in words; a preset by what it is."""
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "any"}[value]
    return preset_name(key, option, value) or words(value)


def preset_name(key: str, option: str, value: object) -> str | None:
    """What the preset is that this value of the option `preset` stands for."""
    presets = GAME_TYPES[key].get(Presets).presets if option == "preset" and key in GAME_TYPES else ()
    return next((one.label for one in presets if getattr(one.options, option, None) == value), None)


def percent(share: float) -> str:
    """0.4285 as `43 %`."""
    return f"{100 * share:.0f} %"


def duration(seconds: float) -> str:
    """83 seconds as `1:23`, an hour and more as `1:00:00`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def left(moment: datetime) -> Markup:
    """The time from now until then, in words and as ISO 8601 has it: `3 h 20 min`; the script counts it down."""
    minutes = max(int((moment - datetime.now(UTC)).total_seconds()) // 60, 0)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    said = [f"{number} {unit}" for number, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if number]
    exact = moment.isoformat().replace("+00:00", "Z")
    return Markup('<time datetime="P{}DT{}H{}M" data-until="{}">{}</time>').format(
        days, hours, minutes, exact, " ".join(said[:2]) or "0 min"
    )


def ago(moment: datetime) -> Markup:
    """How long ago that was, in one unit; of what is older than a day its day."""
    minutes = int((datetime.now(UTC) - moment).total_seconds()) // 60
    if minutes >= 1440:
        return day(moment)
    said = "just now" if minutes < 1 else f"{minutes} min ago" if minutes < 60 else f"{minutes // 60} h ago"
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat().replace("+00:00", "Z"), said)


def plain(number: float) -> str:
    """A number without a needless fraction."""
    return f"{number:g}" if number % 1 else f"{number:.0f}"


_ENVIRONMENT = Environment(
    loader=PackageLoader("service.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip
_ENVIRONMENT.filters.update(
    when=when, day=day, left=left,
    ago=ago, chosen=chosen, words=words, title=title, type_name=type_name, percent=percent,
    duration=duration, plain=plain, name_players=name_players,
)  # fmt: skip
_ENVIRONMENT.policies["json.dumps_kwargs"] = {"sort_keys": True, "separators": (",", ":")}
_ENVIRONMENT.globals.update(static=address, picture_of=picture_of, house_levels=house_levels)
