"""The tools of every manual: weather, calendar, sums, search, translation, messages, lamps, music."""

from parameters import Parameter, choice, city, day, described, message, person, time, title
from tool import Tool, spelled
from words import COLOURS, DEVICES, LANGUAGES, NOUNS, ROOMS, SAYINGS, article, listing


def weather(source):
    """The example of every manual, asked in more ways than others."""
    name = source.one(["get_weather"] * 4 + ["weather", "getWeather", "current_weather", "get_current_weather",
                                             "weather_forecast", "get_forecast", "lookup_weather"])
    about = source.one(["Get the weather", "Gets the weather of a city", "Get the current weather in a location",
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
    return Tool(name, about, found, requests, "weather")


def calendar(source):
    """Appointments."""
    noun = source.one(["event", "meeting", "appointment", "reminder"])
    verb = source.one(["create", "add", "schedule", "create"])
    name = source.one([spelled(source, verb, noun), spelled(source, verb, "calendar", "event"), f"calendar.{verb}",
                       spelled(source, verb, noun)])
    about = source.one([f"Creates {article(noun)}", f"Add {article(noun)} to the calendar",
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
    return Tool(name, about, found, requests, "calendar")


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


def search(source):
    things = source.one(["web", "products", "songs", "recipes", "contacts", "documents", "shop", source.invented()])
    name = spelled(source, source.one(["search", "find", "lookup", "query"]), things)
    wanted = source.one([f"{source.one(COLOURS)} {source.word(NOUNS)}s", source.invented(), source.word(NOUNS),
                         f"{source.word(NOUNS)} in {source.city()}", source.name()])
    query = described(source, ["query", "term", "q", "text", "keyword"],
                      ["The query", "What to look for", "Search words"], wanted, ["{0}", "{0}", '"{0}"'])
    requests = ["Search for {}", "Find {}", "Look up {}", "Can you find {}", f"Search the {things} for {{}}",
                "Look for {}", "Please search for {}", "I am looking for {}"]
    return Tool(name, f"{source.one(['Searches', 'Search', 'Look through'])} the {things}", [query], requests,
                f"search {things}")


def translate(source):
    name = source.one(["translate", "translate_text", "translateText", "get_translation"])
    said = described(source, ["text", "sentence", "phrase", "source"], ["The text", "What to translate"],
                     source.one([source.word(SAYINGS), source.invented()]), ["{0}", '"{0}"', "'{0}'"])
    value = source.one(LANGUAGES)
    language = described(source, ["language", "target_language", "to", "target"],
                         ["The language", "Into which language"], value, ["into {0}", "to {0}", "into {0}"])
    if source.chance(0.4):
        language.schema["enum"] = source.shuffled([value, *[other for other in LANGUAGES[:3] if other != value]])
    return Tool(name, source.one(["Translates a text", "Translate text", "Translates into another language"]),
                [said, language], ["Translate {}", "Please translate {}", "Can you translate {}"], "translate text")


def switch(source):
    """Something in a room that is on or off."""
    device, is_on = source.one(DEVICES), source.chance(0.5)
    room = described(source, ["room", "location", "place", "area"], ["The room", "Which room", "Where"],
                     source.word(ROOMS), ["in the {0}"])
    state = described(source, ["on", "state", "enabled", "power"], ["Whether it is on", "True for on", "On or off"],
                      is_on, [""], kind="boolean")
    word = "on" if is_on else "off"
    requests = [f"Turn {word} the {device} {{}}", f"Switch {word} the {device} {{}}", f"Turn the {device} {{}} {word}",
                f"Please turn {word} the {device} {{}}", f"Switch the {device} {{}} {word}",
                f"Can you turn {word} the {device} {{}}"]
    name = spelled(source, source.one(["set", "switch", "turn", "control"]), device)
    return Tool(name, f"{source.one(['Switches', 'Turns'])} the {device} on or off", [room, state], requests,
                f"switch {device}")


def send(source):
    kind = source.one(["message", "email", "text", "letter"])
    to = described(source, ["recipient", "to", "contact", "person"], ["Who gets it", "The recipient", "Name"],
                   source.name(), ["to {0}"])
    text = message(source)
    requests = [f"Send {article(kind)} {{}}", f"Write {article(kind)} {{}}", f"Please send {article(kind)} {{}}",
                f"Can you send {article(kind)} {{}}"]
    return Tool(spelled(source, source.one(["send", "write"]), kind), f"Sends {article(kind)}", [to, text], requests,
                f"send {kind}")


def play(source):
    song = described(source, ["title", "song", "name", "track"], ["The song", "Title of the song"],
                     source.one([source.invented(), f"{source.invented()} {source.invented()}"]), ["{0}", '"{0}"'])
    artist = described(source, ["artist", "by", "singer", "band"], ["Who plays it", "The artist"], source.name(),
                       ["by {0}"])
    artist.is_required = source.chance(0.5)
    name = source.one(["play_song", "play_music", "playSong", "music.play", "start_music"])
    return Tool(name, source.one(["Plays a song", "Play music"]), [song, artist],
                ["Play {}", "Please play {}", "Can you play {}", "Play the song {}"], "play song music")
