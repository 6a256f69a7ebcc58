"""Parameters of tools: what they are called, which values they take, and how a request says them."""

from dataclasses import dataclass

from words import COLOURS, LEVELS, SAYINGS, SIZES, listing


@dataclass
class Parameter:
    """`phrase` says the value in a request; `words` are the parameter's name as one says it."""

    name: str
    schema: dict
    value: object
    phrase: str
    is_required: bool = True

    @property
    def words(self):
        return spoken(self.name)


def spoken(name):
    """`fromCity` and `from_city` as words."""
    return "".join(" " + letter.lower() if letter.isupper() else letter for letter in name).replace("_", " ").strip()


def described(source, names, descriptions, value, phrases, kind="string", **more):
    """A parameter that is described in half of the tools."""
    name = source.one(names)
    schema = {"type": kind}
    if source.chance(0.7):
        schema["description"] = source.one(descriptions)
    schema.update(more)
    shown = listing(value) if isinstance(value, list) else value
    return Parameter(name, schema, value, source.one(phrases).format(shown, spoken(name)))


def city(source):
    return described(source, ["city"] * 3 + ["location", "place", "town"],
                     ["The city", "Name of the city", "City name", "Where"], source.city(),
                     ["in {0}", "in {0}", "for {0}", "in the city of {0}"])


def origin(source):
    return described(source, ["origin", "from_city", "start", "departure"],
                     ["Where it starts", "Departure city", "From where"], source.city(), ["from {0}"])


def destination(source):
    return described(source, ["destination", "to_city", "goal", "target"],
                     ["Where it ends", "Arrival city", "To where"], source.city(), ["to {0}"])


def person(source):
    return described(source, ["person", "name", "contact", "recipient", "guest", "user"],
                     ["The person", "Name of the person", "Who", "For whom"], source.name(),
                     ["for {0}", "for {0}", "with {0}"])


def day(source):
    value = source.day()
    return described(source, ["day", "date", "date", "when"],
                     ["The day", "The date", "Day of the week or date", "When"], value, ["on {0}"])


def time(source):
    return described(source, ["time", "time", "hour", "start_time"], ["The time", "Time of day", "When"], source.time(),
                     ["at {0}"])


def title(source):
    return described(source, ["title", "subject", "label", "name"], ["The title", "What it is called", "Name"],
                     source.title(), ["called {0}", "with the title {0}", "named {0}", 'called "{0}"', "titled '{0}'"])


def message(source):
    return described(source, ["text", "message", "content", "body"], ["The text", "What it says", "Message"],
                     source.word(SAYINGS),
                     ["saying {0}", 'with the text "{0}"', "that says {0}", 'saying "{0}"', "saying: {0}"])


COUNTED = ["count", "number", "amount", "days", "limit", "people", "minutes", "nights", "pages", "quantity", "guests"]
THINGS_COUNTED = ["days", "people", "minutes", "nights", "guests"]


def number(source):
    """A whole number with a name: from the list, or invented."""
    name = source.one(COUNTED) if source.chance(0.7) else source.invented()
    value = source.integer(1, 30) if source.chance(0.8) else source.integer(31, 999)
    phrases = ["with {1} {0}", "for {0} {1}", "with {0} {1}"] if name in THINGS_COUNTED else [
        "with {1} {0}", "with {1} {0}", "with a {1} of {0}"]
    return described(source, [name], [f"The {spoken(name)}", f"Number of {name}", "How many"], value,
                     [source.one(phrases)], kind="integer")


def decimal(source):
    name = source.one(["weight", "price", "length", "ratio", "temperature", "speed", source.invented()])
    value = source.integer(1, 99) + source.one([0.5, 0.25, 0.75, 0.1])
    return described(source, [name], [f"The {name}", f"{name.capitalize()} as a number"], value,
                     ["with {1} {0}", "with a {1} of {0}"], kind="number")


def choice(source):
    """An enumeration."""
    name, values = source.one([("unit", ["celsius", "fahrenheit"]), ("size", SIZES), ("color", source.some(COLOURS, 3)),
                               ("priority", LEVELS), ("mode", [source.invented() for _ in range(3)]),
                               (source.invented(), [source.invented() for _ in range(3)]),
                               ("format", ["pdf", "txt", "html"]), ("language", ["English", "French", "German"])])
    phrases = ["in {0}"] if name in ("unit", "color", "language", "format") else ["with {1} {0}", "in {1} {0}"]
    return described(source, [name], [f"The {name}", f"Which {name}"], source.one(values), phrases, enum=values)


def switch(source):
    name = source.one(["urgent", "private", "repeat", "gift", "silent", "public", source.invented()])
    value = source.chance(0.5)
    return described(source, [name], [f"Whether {name}", f"{name.capitalize()} or not"], value,
                     ["with {1} on" if value else "with {1} off"], kind="boolean")


def many(source):
    """A list of words."""
    name = source.one(["tags", "people", "items", "names", "guests", "colors"])
    values = [source.name() if name in ("people", "names", "guests") else source.one(COLOURS) if name == "colors"
              else source.invented() for _ in range(source.integer(1, 3))]
    return described(source, [name], [f"The {name}", f"List of {name}"], values, ["with {1} {0}", "with the {1} {0}"],
                     kind="array", items={"type": "string"})


def anything(source):
    """A text whose name says nothing."""
    name = source.invented() if source.chance(0.6) else f"{source.invented()}_{source.one(['id', 'name', 'code'])}"
    value = source.invented() if source.chance(0.7) else f"{source.invented().upper()[:3]}{source.integer(1, 99)}"
    return described(source, [name], [f"The {spoken(name)}"], value,
                     ["with {1} {0}", "with the {1} {0}", "where {1} is {0}"])


KINDS = [city, city, origin, destination, person, day, day, time, title, message, number, number, decimal, choice,
         choice, switch, many, anything, anything]


def symbol(source):
    """Capitals, as shares are called."""
    value = "".join(source.one("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(source.integer(2, 5)))
    return described(source, ["symbol", "ticker", "code", "id"], ["The symbol", "Ticker symbol", "The code"], value,
                     ["of {0}", "for {0}", "for symbol {0}"])


def parameters(source, kinds):
    """One parameter of each kind, none named like another; some of the later ones may be left out of a call."""
    found = []
    for kind in kinds:
        parameter = kind(source)
        if parameter.name not in [other.name for other in found]:
            if found and source.chance(0.3):
                parameter.is_required = False
            found.append(parameter)
    return found
