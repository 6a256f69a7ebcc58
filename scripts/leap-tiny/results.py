"""What tools return, and what the assistant says then."""

from conversation import dump
from words import CONDITIONS, listing

ERRORS = ["not found", "no connection", "no such city", "timeout", "access denied", "already booked", "not available",
          "unknown name", "sold out", "closed", "invalid date", "permission denied"]
KEYS = ["price", "number", "id", "seat", "room", "total", "status", "time", "distance", "duration", "code", "address",
        "temperature", "population", "rating", "score", "balance", "speed", "date", "city", "owner", "level"]


def result(source, tool, arguments):
    """The text that the tool returns, the answer, the thought before it."""
    kind = source.random.random()
    if kind < 0.12:
        return failure(source)
    if tool.topic == "weather" and kind < 0.8:
        return weather(source, arguments)
    return source.one([fields, fields, fields, plain, done, names])(source)


def failure(source):
    reason = source.one(ERRORS) if source.chance(0.7) else f"{source.invented()} {source.invented()}"
    text = dump({"error": reason}) if source.chance(0.7) else f"Error: {reason}"
    return text, f"That did not work: {reason}.", "The tool failed."


def weather(source, arguments):
    condition, degrees = source.word(CONDITIONS), source.integer(-15, 40)
    place = next(iter(arguments.values()), "there")
    fields = [(source.one(["condition", "conditions", "sky", "weather", "description"]), condition),
              (source.one(["temperature", "temp", "degrees", "temperature_c"]), degrees)]
    if source.chance(0.2):
        fields.append((source.one(["humidity", "wind"]), source.integer(1, 99)))
    form = source.random.random()
    if form < 0.65:
        text = dump(dict(source.shuffled(fields)))
    elif form < 0.85:
        text = source.one([f"{condition}, {degrees} degrees", f"{degrees} degrees and {condition}",
                           f"{condition} and {degrees}°C", f"{condition}, {degrees}"])
    else:
        text = source.one([condition, dump({fields[0][0]: condition})])
        return text, f"It is {condition} in {place}.", f"It is {condition}."
    return text, f"It is {condition} in {place}, {degrees} degrees.", f"It is {condition}, {degrees} degrees."


def fields(source):
    """An object: `The price is 12 and the seat is 4A.`"""
    found = {}
    for _ in range(source.integer(1, 3)):
        name = source.one(KEYS) if source.chance(0.75) else source.invented()
        found[name] = source.integer(0, 9999) if source.chance(0.5) else source.one(
            [source.invented(), source.name(), source.city(), source.time(), source.integer(1, 99) + 0.5])
    said = listing([f"the {name.replace('_', ' ')} is {value}" for name, value in found.items()])
    return dump(found), f"{said[0].upper()}{said[1:]}.", "The tool has answered."


def plain(source):
    value = source.one([str(source.integer(0, 9999)), source.invented(), source.name(), source.time()])
    return value, f"The result is {value}.", "The tool has answered."


def done(source):
    text = source.one(["ok", "OK", "done", "success", dump({"status": "ok"}), dump({"success": True}),
                       dump({"result": "ok"}), dump({"status": "success"}), dump({"ok": True}), "true", "Done."])
    return text, "Done.", "The tool has done it."


def names(source):
    kinds = [source.name, source.invented, source.city, source.title]
    found = [source.one(kinds)() for _ in range(source.integer(1, 4))]
    key, said = source.one(["results", "items", "events", "names", "entries", ""]), found
    if source.chance(0.3):
        times = [source.time() for _ in found]
        said = [f"{name} at {time}" for name, time in zip(found, times)]
        label = source.one(["title", "name", "event"])
        found = [{label: name, "time": time} for name, time in zip(found, times)]
    return dump({key: found} if key else found), f"I found {listing(said)}.", "The tool has found something."
