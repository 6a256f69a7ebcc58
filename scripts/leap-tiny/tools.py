"""Lists of tools as they stand in one prompt."""

from strange_tools import action, question
from usual_tools import calendar, play, search, send, sum_of_numbers, switch, translate, weather

MAKERS = ([action] * 6 + [question] * 4 + [weather] * 5 + [calendar] * 3
          + [sum_of_numbers, search, translate, switch, send, play])


def toolbox(source, count):
    """Tools on different topics with different names."""
    found = []
    while len(found) < count:
        tool = source.one(MAKERS)(source)
        words = set(tool.topic.split())
        if all(tool.name != other.name and not words & set(other.topic.split()) for other in found):
            found.append(tool)
    return found
