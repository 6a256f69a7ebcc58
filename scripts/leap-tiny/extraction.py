"""Sentences that say some facts, and the JSON object that holds them under a schema."""

import json

from conversation import dump, sorted_keys
from words import COLOURS, CONDITIONS, ITEMS, JOBS, NOUNS, SIZES, article, listing

HOBBIES = ["chess", "tennis", "painting", "singing", "running", "fishing"]
KEYS = ["height", "width", "speed", "weight", "price", "level", "color", "owner", "status", "code", "country", "genre"]


def person(source):
    name, age, city, job = source.name(), source.integer(1, 99), source.city(), source.word(JOBS)
    hobby, email = source.one(HOBBIES), f"{name.lower()}@{source.invented()}.com"
    facts = [("name", "string", name, None),
             ("age", "integer", age, source.one(["is {0} years old", "is {0}", "is aged {0}"])),
             ("city", "string", city, source.one(["lives in {0}", "comes from {0}", "is from {0}"])),
             ("job", "string", job, source.one(["works as {0}", "is {0}"])),
             ("email", "string", email, "has the address {0}"),
             ("hobby", "string", hobby, "likes {0}")]
    kept = [facts[0]] + source.some(facts[1:], source.integer(1, 3))
    said = [phrase.format(article(value) if key == "job" else value) for key, _, value, phrase in kept[1:]]
    if len(said) > 1 and source.chance(0.6):
        text = f"{name} {', '.join(said[:-1])} and {said[-1]}."
    else:
        text = f"{name} {said[0]}." + "".join(f" {source.one(['He', 'She', name])} {phrase}." for phrase in said[1:])
    return text, [(key, kind, value) for key, kind, value, _ in kept]


def order(source):
    name, count, item = source.name(), source.integer(2, 99), source.word(ITEMS)
    price = source.integer(1, 99)
    form = source.integer(0, 3)
    if form == 0:
        return f"{name} orders {count} {item} for {price} dollars.", [
            (source.one(["customer", "name"]), "string", name),
            (source.one(["quantity", "count", "amount"]), "integer", count),
            (source.one(["item", "product"]), "string", item), ("price", source.one(["integer", "number"]), price)]
    if form == 1:
        return f"{count} {item} cost {price} dollars.", [
            (source.one(["quantity", "count"]), "integer", count), (source.one(["item", "product"]), "string", item),
            ("price", source.one(["integer", "number"]), price)]
    if form == 2:
        colour, size, noun = source.one(COLOURS), source.one(SIZES), source.word(NOUNS)
        return f"I would like a {size} {colour} {noun}.", [
            ("size", "string", size), (source.one(["color", "colour"]), "string", colour),
            (source.one(["item", "product", "object"]), "string", noun)]
    number = source.integer(100, 9999)
    return f"Order {number}: {count} {item} for {name}.", [
        (source.one(["order", "number", "id"]), "integer", number),
        (source.one(["quantity", "count"]), "integer", count),
        (source.one(["item", "product"]), "string", item), (source.one(["customer", "name"]), "string", name)]


def appointment(source):
    title, day, time, name, city = source.title(), source.day(), source.time(), source.name(), source.city()
    facts = [("title", "string", title)]
    text = source.one([f"The {title}", f"There is a {title}, it"]) + " is"
    for key, value, phrase in source.some([("date", day, "on {0}"), ("time", time, "at {0}"), ("city", city, "in {0}"),
                                           ("person", name, "for {0}")], source.integer(1, 3)):
        text += " " + phrase.format(value)
        facts.append((key, "string", value))
    return text + ".", facts


def measurement(source):
    """Names that nobody has heard."""
    facts, said = [], []
    for _ in range(source.integer(1, 4)):
        key = source.invented() if source.chance(0.5) else source.one(KEYS)
        if key in [known for known, _, _ in facts]:
            continue
        kind = source.one(["string", "integer", "number", "boolean"] if key not in ("color", "owner") else ["string"])
        value = {"string": lambda: source.one([source.invented(), source.name(), source.city()]),
                 "integer": lambda: source.integer(0, 999), "boolean": lambda: source.chance(0.5),
                 "number": lambda: source.integer(0, 99) + source.one([0.5, 0.25, 0.1])}[kind]()
        shown = {True: "true", False: "false"}[value] if kind == "boolean" else value
        facts.append((key, kind, value))
        said.append(f"{key} is {shown}")
    glue = source.one([". The ", ", the ", " and the "])
    return "The " + glue.join(said) + ".", facts


def weather(source):
    city, condition, degrees = source.city(), source.word(CONDITIONS), source.integer(-10, 40)
    text = source.one([f"It is {condition} in {city} and {degrees} degrees.",
                       f"In {city} it is {condition}, {degrees} degrees.",
                       f"The weather in {city} is {condition} with {degrees} degrees."])
    return text, [("city", "string", city), (source.one(["condition", "weather", "sky"]), "string", condition),
                  (source.one(["temperature", "degrees", "temp"]), source.one(["integer", "number"]), degrees)]


def likes(source):
    """A list of words."""
    name = source.name()
    key, words = source.one([("colors", COLOURS), ("items", ITEMS), ("friends", None), ("tags", None)])
    count = source.integer(1, 4)
    strange = [source.name, source.invented]
    values = source.some(words, count) if words else [source.one(strange)() for _ in range(count)]
    text = source.one(["{0} likes {1}.", "{0} has {1}.", "{0} knows {1}.", "{0} wants {1}."])
    return text.format(name, listing(values)), [("name", "string", name), (key, "array", values)]


MAKERS = [person, person, order, appointment, measurement, measurement, weather, likes]


def schema_of(source, facts):
    properties = {}
    for key, kind, value in facts:
        properties[key] = {"type": kind}
        if kind == "array":
            properties[key]["items"] = {"type": "string"}
        if source.chance(0.2):
            properties[key]["description"] = f"The {key}"
        for known in (SIZES, COLOURS, CONDITIONS):
            if kind == "string" and value in known and source.chance(0.6):
                others = source.some([word for word in known if word != value], 2)
                properties[key] = {"type": "string", "enum": source.shuffled([value] + others)}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    if source.chance(0.3):
        schema["additionalProperties"] = False
    if source.chance(0.15):
        schema = {"title": source.invented().capitalize()} | schema
    if source.chance(0.15):
        schema["description"] = source.one(["A person", "An order", "What the text says", f"A {source.invented()}"])
    return sorted_keys(schema) if source.chance(0.2) else schema


LEAP = "Answer with JSON that satisfies this JSON Schema:\n{0}"  # what the SDK writes for a constraint
SYSTEM = [LEAP, LEAP, LEAP, LEAP,
          "Respond with JSON that matches this schema: {0}", "Answer in JSON. Schema: {0}", "JSON schema: {0}",
          "You must respond with a JSON object matching this JSON schema:\n{0}",
          "Extract the data as JSON. The schema is: {0}", "Return only JSON that follows the schema {0}",
          "Respond only with JSON matching the following JSON Schema:\n{0}",
          "Identify and extract information matching the following schema.\n{0}",
          "The answer must be JSON of this schema:\n```json\n{0}\n```"]
ASKED = ["{0}", "{0}", "Extract: {0}", "Extract the data: {0}", "Text: {0}", "Fill in the form: {0}",
         "{0} Extract the data.", "Extract the information from this text: {0}"]
TOGETHER = ["{0}\nFill this schema: {1}", "Extract the data from: {0}\nSchema: {1}", "Schema: {1}\nText: {0}",
            "Fill the schema {1} from this text: {0}", "{0}\nAnswer as JSON with this schema: {1}"]
NAMED = ["Extract {1} as JSON: {0}", "{0}\nGive me {1} as JSON.", "Return JSON with {1}. Text: {0}",
         "Write as JSON with {1}: {0}"]


def written(source, schema):
    """A schema as apps write it: on one line, without spaces, or indented."""
    style = source.one([{}, {}, {"separators": (",", ":")}, {"indent": 2}])
    return json.dumps(schema, ensure_ascii=False, **style)


def extract(source):
    """System message or `None`, question, answer, thought."""
    sentence, facts = source.one(MAKERS)(source)
    if source.chance(0.3):
        facts = source.shuffled(facts)
    if source.chance(0.25) and len(facts) > 1:
        facts = facts[:-1]  # not everything that is said is asked for
    schema, values = schema_of(source, facts), {key: value for key, _, value in facts}
    form = source.random.random()
    keys = list(schema["properties"]) if form < 0.9 else list(values)
    answer, thought = dump({key: values[key] for key in keys}), f"The fields are {', '.join(keys)}."
    if form < 0.6:
        return source.one(SYSTEM).format(written(source, schema)), source.one(ASKED).format(sentence), answer, thought
    if form < 0.9:
        return None, source.one(TOGETHER).format(sentence, written(source, schema)), answer, thought
    named = ", ".join(keys[:-1]) + " and " + keys[-1] if len(keys) > 1 else keys[0]
    return None, source.one(NAMED).format(sentence, named), answer, thought
