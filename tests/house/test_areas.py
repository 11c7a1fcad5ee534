"""What handlers look up by class, and what `create_app` gives them, are the same."""

import re

from service.app import create_app
from service.settings import Settings

from .measures import sources


def test_the_areas_are_those_that_are_looked_up() -> None:
    texts = [path.read_text() for path in sources("service")]
    areas = create_app(Settings(), "host=/nowhere").state.parts.areas
    assert {kind.__name__ for kind in areas} == {
        name for text in texts for name in re.findall(r"\.area\((\w+)\)", text)
    }
