"""Tools that nobody has: a verb and a noun (`sell_flower`), or something that can be asked for (`get_sunset`).

Requests name the parameters' values in phrases that go with the kind of the parameter, or spell its name, so that a
model that has understood the pattern can call tools of which it has never heard.
"""

from parameters import KINDS, anything, choice, city, day, number, parameters, person, symbol, time, title
from tool import Tool, spelled
from words import FACTS_ASKED, NOUNS, VERBS, article


def action(source):
    """Something to do: `book_flight`."""
    verb, noun = source.word(VERBS), source.word(NOUNS) if source.chance(0.75) else source.invented()
    if source.chance(0.15):
        verb = source.invented()
    name = spelled(source, verb, *noun.split("_"))
    if source.chance(0.12):
        name = f"{noun}.{verb}" if source.chance(0.5) else f"{source.invented()}.{name}"
    elif source.chance(0.08):
        name = source.invented()  # then the description alone says what it does
    things = article(noun)
    about = source.one([f"{verb.capitalize()} {things}", f"{verb.capitalize()} {things}.",
                            f"Lets the user {verb} {things}", f"Used to {verb} {things}",
                            f"{verb.capitalize()} the {noun}"])
    requests = [f"{verb.capitalize()} {things}", f"Please {verb} {things}", f"Can you {verb} {things}",
                f"I want to {verb} {things}", f"Could you {verb} {things}", f"I would like to {verb} {things}",
                f"{verb} {things}", f"{verb.capitalize()} the {noun}", f"I need to {verb} {things}"]
    kinds = [source.one(KINDS) for _ in range(source.one([1, 1, 1, 2, 2, 2, 3, 4]))]
    return Tool(name, about, parameters(source, kinds), [request + " {}" for request in requests], f"{verb} {noun}")


def question(source):
    """Something to ask for: `get_price`."""
    asked = source.word(FACTS_ASKED) if source.chance(0.75) else source.invented()
    words = asked.split("_")
    name = source.one([spelled(source, source.one(["get", "get", "get", "find", "fetch", "lookup", "check"]), *words),
                       spelled(source, *words), spelled(source, "current", *words)])
    said = " ".join(words)
    about = source.one([f"Gets the {said}", f"Get the {said}.", f"Returns the {said}", f"The current {said}",
                            f"Looks up the {said}"])
    requests = [f"What is the {said} {{}}", f"Tell me the {said} {{}}", f"Get the {said} {{}}",
                f"Show me the {said} {{}}", f"What's the {said} {{}}",
                f"Can you tell me the {said} {{}}", f"I need the {said} {{}}",
                f"Find the {said} {{}}", f"Please check the {said} {{}}"]
    kinds = [source.one([city, city, person, anything, day, choice, number, title, symbol, symbol])]
    if source.chance(0.3):
        kinds.append(source.one([day, choice, number, time]))
    elif source.chance(0.15):
        kinds = []
    return Tool(name, about, parameters(source, kinds), requests, said)
