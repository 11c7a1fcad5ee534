"""What is printed on the pattern and character cards: partly ours, and only here, so that the originals can replace it.

Reconstructed: all eighteen patterns and two characters, for want of public pictures of the cards. Four characters are
named by the publisher's campaign (crowdox.com, 2019). That a strand has five bulbs in a set order, no colour twice, is
known from descriptions of the game.
"""

COLOURS: tuple[str, ...] = ("red", "green", "yellow", "blue", "purple", "pink")
"""The colours of the bulbs (Christmas Lights rules on gamerules.com); these are not ours."""

PATTERNS: tuple[tuple[str, str, str, str, str], ...] = (
    ("red", "green", "pink", "yellow", "purple"),
    ("green", "yellow", "red", "blue", "pink"),
    ("yellow", "blue", "green", "purple", "red"),
    ("blue", "purple", "yellow", "pink", "green"),
    ("purple", "pink", "blue", "red", "yellow"),
    ("pink", "red", "purple", "green", "blue"),
    ("red", "yellow", "purple", "green", "pink"),
    ("yellow", "green", "red", "blue", "purple"),
    ("green", "blue", "yellow", "pink", "red"),
    ("blue", "pink", "green", "purple", "yellow"),
    ("pink", "purple", "blue", "red", "green"),
    ("purple", "red", "pink", "yellow", "blue"),
    ("red", "purple", "yellow", "green", "blue"),
    ("purple", "green", "red", "pink", "yellow"),
    ("green", "pink", "purple", "blue", "red"),
    ("pink", "blue", "green", "yellow", "purple"),
    ("blue", "yellow", "pink", "red", "green"),
    ("yellow", "red", "blue", "purple", "pink"),
)
"""P01 to P18, left to right. Reconstructed: three Latin squares of order 6 without their last column.

So every colour is missing from three patterns and stands three times in each place; and the first two bulbs of a
line-up always leave one pattern at most.
"""

CHARACTERS: tuple[str, ...] = ("Santa", "Mrs Claus", "Frosty", "Rudolph", "the first elf", "the second elf")
"""The last two are reconstructed."""
