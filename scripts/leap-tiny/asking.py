"""Requests that a tool fits, or that leave out what it needs."""

from words import listing


def refill(source, tool):
    """The same tool asked again: new values for what is named as before."""
    for parameter in tool.parameters:
        old, kind = parameter.value, parameter.schema["type"]
        shown = listing([str(item) for item in old]) if isinstance(old, list) else str(old)
        if "enum" in parameter.schema:
            new = source.one(parameter.schema["enum"])
        elif kind == "integer":
            new = source.integer(1, 30)
        elif kind == "string" and parameter.phrase.startswith(("in ", "from ", "to ")):
            new = source.city()
        elif kind == "string" and parameter.phrase.startswith("for "):
            new = source.name()
        else:
            continue
        parameter.value, parameter.phrase = new, parameter.phrase.replace(shown, str(new))


def request(source, tool):
    """A request, and the arguments it asks for. Optional parameters may be left out."""
    used = [parameter for parameter in tool.parameters if parameter.is_required or source.chance(0.5)]
    said = source.shuffled(used) if source.chance(0.3) else used
    text = source.one(tool.requests).format(" ".join(parameter.phrase for parameter in said))
    text, arguments = " ".join(text.split()), {parameter.name: parameter.value for parameter in used}
    if source.chance(0.06) and not any("enum" in parameter.schema for parameter in used):
        text, arguments = text.lower(), lower(arguments)
    return punctuated(source, text), arguments


def lower(value):
    """As somebody writes who does not like capitals."""
    if isinstance(value, dict):
        return {key: lower(item) for key, item in value.items()}
    if isinstance(value, list):
        return [lower(item) for item in value]
    return value.lower() if isinstance(value, str) else value


def punctuated(source, text):
    starts = ("What", "How", "Can", "Could", "Is", "Will", "Do ", "Which")
    mark = source.one(["?", "?", ""]) if text.startswith(starts) else source.one([".", ".", "", "!"])
    return text + mark


def missing(source, tool):
    """A request that leaves out what is required; the question that asks for it, and the thought before that; what the
    user says then, and the arguments of the call. `None` if all is optional."""
    required = [parameter for parameter in tool.parameters if parameter.is_required]
    can_be_lost = [parameter for parameter in required if parameter.phrase]
    if not can_be_lost or tool.topic == "sum":
        return None
    lost = source.one(can_be_lost)
    said = [parameter for parameter in required if parameter is not lost]
    text = " ".join(source.one(tool.requests).format(" ".join(parameter.phrase for parameter in said)).split())
    asked = (punctuated(source, text), f"Please tell me the {lost.words}.",
             f"The tool {tool.name} fits. The {lost.words} is missing.")
    shown = listing(lost.value) if isinstance(lost.value, list) else lost.value
    reply = source.one([f"{shown}", f"{shown}.", f"{lost.phrase[0].upper()}{lost.phrase[1:]}.",
                        f"The {lost.words} is {shown}."])
    return asked, reply, {parameter.name: parameter.value for parameter in required}


def thought_of(name, arguments):
    said = [f"{key} is {listing([str(item) for item in value]) if isinstance(value, list) else value}"
            for key, value in arguments.items()]
    return f"The tool {name} fits. " + (f"{listing(said)}." if said else "It needs nothing.")
