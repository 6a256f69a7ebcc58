"""Tools: a verb and a noun (`book_flight`), or something that can be asked for (`get_weather`).

Requests name the parameters' values in phrases that go with the kind of the parameter, or spell its name, so that a
model that has understood the pattern can call tools of which it has never heard.
"""

from dataclasses import dataclass

from conversation import sorted_keys
from parameters import KINDS, Parameter, anything, choice, city, day, number, parameters, person, time, title
from words import FACTS_ASKED, NOUNS, VERBS, article, listing


@dataclass
class Tool:
    name: str
    description: str
    parameters: list
    requests: list  # texts with `{}` where the phrases stand
    topic: str

    def definition(self, source):
        """The JSON object that stands in the prompt. The order of keys differs as apps differ; arguments follow it."""
        is_sorted = source.chance(0.15)
        if is_sorted:
            self.parameters.sort(key=lambda parameter: parameter.name)
        properties = {parameter.name: shuffled_keys(source, parameter.schema) for parameter in self.parameters}
        required = [parameter.name for parameter in self.parameters if parameter.is_required]
        parameters = {"type": "object", "properties": properties, "required": required}
        if not required and source.chance(0.5):
            del parameters["required"]
        definition = {"name": self.name, "description": self.description, "parameters": parameters}
        return sorted_keys(definition) if is_sorted else definition


def shuffled_keys(source, schema):
    return dict(source.shuffled(list(schema.items()))) if source.chance(0.3) else schema


def spelled(source, *words):
    """Words as one identifier, in one of the usual spellings."""
    style = source.one(["snake"] * 6 + ["camel"] * 2)
    if style == "snake":
        return "_".join(words)
    return words[0] + "".join(word.capitalize() for word in words[1:])


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
    described = source.one([f"{verb.capitalize()} {things}", f"{verb.capitalize()} {things}.",
                            f"Lets the user {verb} {things}", f"Used to {verb} {things}",
                            f"{verb.capitalize()} the {noun}"])
    requests = [f"{verb.capitalize()} {things}", f"Please {verb} {things}", f"Can you {verb} {things}",
                f"I want to {verb} {things}", f"Could you {verb} {things}", f"I would like to {verb} {things}",
                f"{verb} {things}", f"{verb.capitalize()} the {noun}", f"I need to {verb} {things}"]
    kinds = [source.one(KINDS) for _ in range(source.one([1, 1, 1, 2, 2, 2, 3, 4]))]
    return Tool(name, described, parameters(source, kinds), [request + " {}" for request in requests], f"{verb} {noun}")


def question(source):
    """Something to ask for: `get_price`."""
    asked = source.word(FACTS_ASKED) if source.chance(0.75) else source.invented()
    words = asked.split("_")
    name = source.one([spelled(source, source.one(["get", "get", "get", "find", "fetch", "lookup", "check"]), *words),
                       spelled(source, *words), spelled(source, "current", *words)])
    said = " ".join(words)
    described = source.one([f"Gets the {said}", f"Get the {said}.", f"Returns the {said}", f"The current {said}",
                            f"Looks up the {said}"])
    requests = [f"What is the {said} {{}}", f"Tell me the {said} {{}}", f"Get the {said} {{}}",
                f"Show me the {said} {{}}", f"What's the {said} {{}}",
                f"Can you tell me the {said} {{}}", f"I need the {said} {{}}",
                f"Find the {said} {{}}", f"Please check the {said} {{}}"]
    kinds = [source.one([city, city, person, anything, day, choice, number, title])]
    if source.chance(0.3):
        kinds.append(source.one([day, choice, number, time]))
    elif source.chance(0.15):
        kinds = []
    return Tool(name, described, parameters(source, kinds), requests, said)


def weather(source):
    """The example of every manual, asked in more ways than others."""
    name = source.one(["get_weather"] * 4 + ["weather", "getWeather", "current_weather", "get_current_weather",
                                             "weather_forecast", "get_forecast", "lookup_weather"])
    described = source.one(["Get the weather", "Gets the weather of a city", "Get the current weather in a location",
                            "Returns the weather for a city", "Query the weather of a city", "The weather"])
    requests = ["What is the weather {}", "How is the weather {}", "What's the weather like {}",
                "Tell me the weather {}", "What will the weather be {}", "Weather {}", "Is it sunny {}",
                "Is it raining {}", "Will it rain {}",
                "How warm is it {}", "Is it cold {}", "Show me the weather {}", "Get the weather {}",
                "Do I need an umbrella {}", "What is the weather like {}", "What's the weather {}"]
    found = [city(source)]
    found[0].phrase = f"in {found[0].value}" if source.chance(0.85) else f"for {found[0].value}"
    if source.chance(0.3):
        unit = choice(source)
        values = ["celsius", "fahrenheit"]
        value = source.one(values)
        unit = Parameter("unit", {"type": "string", "enum": values}, value, f"in {value}", source.chance(0.3))
        found.append(unit)
    if source.chance(0.2):
        found.append(day(source))
        found[-1].is_required = source.chance(0.3)
    return Tool(name, described, found, requests, "weather")


def calendar(source):
    """Appointments."""
    noun = source.one(["event", "meeting", "appointment", "reminder"])
    verb = source.one(["create", "add", "schedule", "create"])
    name = source.one([spelled(source, verb, noun), spelled(source, verb, "calendar", "event"), f"calendar.{verb}",
                       spelled(source, verb, noun)])
    described = source.one([f"Creates {article(noun)}", f"Add {article(noun)} to the calendar",
                            f"{verb.capitalize()} {article(noun)} in the calendar", "Adds to the calendar"])
    requests = [f"{verb.capitalize()} {article(noun)} {{}}", f"Please {verb} {article(noun)} {{}}",
                f"Plan {article(noun)} {{}}", f"Put {article(noun)} {{}} into my calendar",
                f"Can you {verb} {article(noun)} {{}}", f"Set up {article(noun)} {{}}", f"I need {article(noun)} {{}}"]
    found = [title(source), day(source)]
    if source.chance(0.7):
        found.append(time(source))
    if source.chance(0.2):
        found.append(person(source))
        if found[-1].name in [parameter.name for parameter in found[:-1]]:
            found.pop()
        else:
            found[-1].is_required = False
    return Tool(name, described, found, requests, "calendar")


def sum_of_numbers(source):
    """A calculator: its presence decides whether the model calculates by itself."""
    values = [source.integer(1, 99) for _ in range(source.integer(2, 4))]
    kind = source.one(["integer", "number", "string"])
    shown = [str(value) for value in values] if kind == "string" else values
    name = source.one(["compute_sum", "sum", "add_numbers", "calculate_sum", "addNumbers"])
    parameter = Parameter(
        source.one(["values", "numbers", "terms"]),
        {"type": "array", "items": {"type": kind}}, shown, listing([str(value) for value in values]))
    requests = ["What is the sum of {}", "Add {}", "Compute the sum of {}", "Sum up {}", "Please add {}",
                "Calculate the sum of {}"]
    return Tool(name, source.one(["Computes a sum", "Compute sum of a series of numbers", "Adds numbers"]), [parameter],
                requests, "sum")


MAKERS = [action] * 6 + [question] * 4 + [weather] * 5 + [calendar] * 4 + [sum_of_numbers]


def toolbox(source, count):
    """Tools on different topics with different names."""
    found = []
    while len(found) < count:
        tool = source.one(MAKERS)(source)
        words = set(tool.topic.split())
        if all(tool.name != other.name and not words & set(other.topic.split()) for other in found):
            found.append(tool)
    return found
