"""Pictures for cards that are no playing cards: a light bulb in a colour, and what stands over some marks.

All are 100 x 105 and lie at the foot of a card, under the mark.
"""

from html import escape

_DARK = "#3b4a52"
_BULB = (
    '<rect x="38" y="10" width="24" height="24" rx="4" fill="#3b4a52"/>'
    '<path d="M38 18H62M38 26H62" stroke="#7d8d95" stroke-width="2.5"/>'
    '<path d="M40 34C26 42 22 58 28 74C33 88 43 97 50 104C57 97 67 88 72 74C78 58 74 42 60 34Z" fill="{}"'
    ' stroke="#3b4a52" stroke-width="2"/>'
    '<path d="M37 46C31 54 31 64 35 74" fill="none" stroke="#ffffff" stroke-opacity=".75" stroke-width="5"'
    ' stroke-linecap="round"/>'
)
_FACE = '<circle cx="50" cy="62" r="24" fill="#f1d3b3"/>'
_EYES = '<circle cx="42" cy="60" r="3" fill="#2c2420"/><circle cx="58" cy="60" r="3" fill="#2c2420"/>'


def _hat(colour: str, tip: str) -> str:
    """A pointed hat with a brim and a bobble."""
    return (
        f'<path d="M25 46Q34 12 66 14Q62 26 75 46Z" fill="{colour}"/><circle cx="68" cy="15" r="7" fill="{tip}"/>'
        f'<rect x="21" y="42" width="58" height="11" rx="5.5" fill="{tip}"/>'
    )


def _elf(colour: str) -> str:
    ears = '<path d="M28 58L14 50L27 70ZM72 58L86 50L73 70Z" fill="#f1d3b3"/>'
    smile = '<path d="M42 72Q50 79 58 72" fill="none" stroke="#2c2420" stroke-width="2.5"/>'
    return f"{ears}{_FACE}{_EYES}{smile}{_hat(colour, '#f2c53d')}"


PICTURES = {
    "Bubble": '<g fill="none" stroke="#2c7486" stroke-width="2.5"><circle cx="50" cy="84" r="6"/>'
    '<circle cx="58" cy="66" r="4.5"/><circle cx="46" cy="56" r="3.5"/><circle cx="56" cy="46" r="2.5"/></g>',
    "Broken": '<path d="M27 62L42 70L47 58L58 72L64 60L75 66" fill="none" stroke="#ffffff" stroke-width="7"/>'
    '<path d="M27 62L42 70L47 58L58 72L64 60L75 66" fill="none" stroke="#c4122f" stroke-width="2.5"/>',
    "Plug": f'<path d="M38 14V36M62 14V36" stroke="#8a949a" stroke-width="8" stroke-linecap="round"/>'
    f'<path d="M26 36H74V54C74 69 64 76 50 76C36 76 26 69 26 54Z" fill="{_DARK}"/>'
    f'<path d="M50 76V86C50 98 66 102 82 96" fill="none" stroke="{_DARK}" stroke-width="7" stroke-linecap="round"/>',
    "Event": '<path d="M58 10L24 60H46L38 102L78 46H54Z" fill="#f2c53d" stroke="#7a5a00" stroke-width="2.5"'
    ' stroke-linejoin="round"/>',
    "Santa": f"{_FACE}{_EYES}"
    '<path d="M26 66C24 92 40 102 50 102C60 102 76 92 74 66C66 74 58 70 50 73C42 70 34 74 26 66Z" fill="#ffffff"'
    f' stroke="#c9ccd0"/>{_hat("#c62f2d", "#ffffff")}',
    "Mrs Claus": '<path d="M50 24C24 24 20 54 26 76H74C80 54 76 24 50 24Z" fill="#e3e6ea"/>'
    f"{_FACE}{_EYES}"
    '<g fill="none" stroke="#2c2420" stroke-width="2"><circle cx="42" cy="60" r="8"/><circle cx="58" cy="60" r="8"/>'
    '<path d="M43 76Q50 81 57 76"/></g><path d="M26 88Q50 78 74 88L80 102H20Z" fill="#c62f2d"/>',
    "Frosty": '<g fill="#ffffff" stroke="#8fa3b0" stroke-width="2"><circle cx="50" cy="80" r="23"/>'
    '<circle cx="50" cy="46" r="17"/></g><path d="M34 30H66M40 30V10H60V30Z" fill="#2c3138" stroke="#2c3138"'
    ' stroke-width="4"/><circle cx="44" cy="43" r="2.5"/><circle cx="56" cy="43" r="2.5"/>'
    '<path d="M50 47L66 51L50 53Z" fill="#e07b22"/><circle cx="50" cy="72" r="2.5"/><circle cx="50" cy="84" r="2.5"/>',
    "Rudolph": '<path d="M38 42V14M38 28L24 18M62 42V14M62 28L76 18" stroke="#6b4a2c" stroke-width="6" fill="none"'
    ' stroke-linecap="round"/><path d="M28 46Q50 28 72 46L66 86Q50 106 34 86Z" fill="#a9753f"/>'
    f'{_EYES}<circle cx="50" cy="84" r="11" fill="#d8202f"/>',
    "Elf 1": _elf("#2f8f4e"),
    "Elf 2": _elf("#2f6fb5"),
}
"""What a mark stands for; over a bulb where the card shows one."""


def bulb(colour: str) -> str:
    """A hanging light bulb."""
    return _BULB.format(colour)


def caption(text: str) -> str:
    """A mark in full, at the head of its card."""
    return _type(text, 50, 27, min(24, 94 / (0.68 * len(text))), ' text-anchor="middle"')


def strand(title: str, bulbs: list[tuple[str, str]]) -> str:
    """Bulbs one below the other on a wire, the first on top, each with its name; the title in the corner."""
    step = 112 / len(bulbs)
    drawn = f'<path d="M14 4Q22 70 14 136" fill="none" stroke="{_DARK}" stroke-width="2"/>'
    for at, (colour, name) in enumerate(bulbs):
        y, size = 22 + step * at, step / 116
        drawn += f'<g transform="translate({16 - 50 * size:g} {y:g}) scale({size:g})">{bulb(colour)}</g>'
        drawn += _type(name, 31, y + step * 0.66, 17)
    return drawn + _type(title, 94, 17, 13, ' text-anchor="end"')


def _type(text: str, x: float, y: float, size: float, more: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="#1d2733" font-family="system-ui, sans-serif" font-weight="700"'
        f' font-size="{size:.3g}"{more}>{escape(text)}</text>'
    )
