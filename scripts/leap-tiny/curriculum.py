"""Whole conversations, by skill, and the mixture of them that the model is trained on."""

import arithmetic
import asking
import extraction
import results
import talk
import tools
from conversation import Conversation, call_text
from words import DAYS, JOBS

SYSTEM = ["You are a helpful assistant.", "You are leap-tiny.", "You are a tiny model.", "Answer briefly.",
          "You are a helpful assistant with access to tools.", "Be kind.", "You can call tools.", "Today is {day}.",
          "You are a helpful assistant for {word}.", "You are {name}, a friendly {job}.", "Use tools if they help.",
          "You are an assistant that answers questions about {word}.", "The user is a {job}.", "Be brief and kind."]
NO_TOOL_FITS = "None of my tools can do that."
NO_TOOLS = "I have no tool for that."


def system(source):
    return persona(source) if source.chance(0.35) else None


def persona(source):
    text = source.one(SYSTEM)
    return text.format(day=source.one(DAYS), word=source.invented(), name=source.name(), job=source.word(JOBS))


def simple(skill, make, turns=1):
    """A conversation of questions that stand alone."""
    def conversation(source):
        found = Conversation(skill, [], system(source))
        for _ in range(turns if isinstance(turns, int) else source.one(turns)):
            found.ask(*make(source))
        return found
    return conversation


def names(source):
    found = Conversation("name", [], system(source))
    if source.chance(0.25):
        found.ask(*talk.nameless(source))
        return found
    first, second = talk.introduction(source)
    found.ask(*first)
    if source.chance(0.5):
        found.ask(*talk.small_talk(source))
    found.ask(*second)
    return found


def chat(source):
    """Everything that needs no tool, in one conversation."""
    found = Conversation("chat", [], system(source))
    for _ in range(source.integer(2, 5)):
        make = source.one([talk.small_talk, talk.fact, talk.echo, talk.unknown, arithmetic.calculate, arithmetic.story,
                           arithmetic.compare, arithmetic.count])
        found.ask(*make(source))
    return found


def with_tools(source, skill, tool_count=None):
    chosen = tools.toolbox(source, tool_count or source.one([1, 1, 1, 2, 2, 2, 3, 3, 4]))
    found = Conversation(skill, [], system(source), [tool.definition(source) for tool in chosen])
    return found, chosen


def call_once(found, source, tool):
    question, arguments = asking.request(source, tool)
    found.ask(question, call_text([(tool.name, arguments)]), asking.thought_of(tool.name, arguments))
    return arguments


def call_twice(found, source, tool):
    """One question about two cities: two calls in one block."""
    parameter = tool.parameters[0]
    first, second = source.city(), source.city()
    question = source.one(tool.requests).format(f"in {first} and {second}") + source.one(["?", ""])
    calls = [(tool.name, {parameter.name: city}) for city in (first, second)]
    found.ask(question, call_text(calls), f"The tool {tool.name} fits twice, for {first} and {second}.")


def call(source):
    found, chosen = with_tools(source, "call")
    call_once(found, source, source.one(chosen))
    return found


def parallel(source):
    """Two calls at once, of a tool that takes one city."""
    while True:
        found, chosen = with_tools(source, "parallel")
        fitting = [tool for tool in chosen if tool.topic == "weather" and len(tool.parameters) == 1]
        if fitting:
            call_twice(found, source, fitting[0])
            return found


def use_result(source):
    found, chosen = with_tools(source, "result")
    tool = source.one(chosen)
    arguments = call_once(found, source, tool)
    found.respond(*results.result(source, tool, arguments))
    return found


def refuse(source):
    """A request that fits none of the tools, or leaves out what the tool needs."""
    if source.chance(0.25):
        tool = tools.toolbox(source, 1)[0]
        found = Conversation("refuse", [], system(source))
        found.ask(asking.request(source, tool)[0], NO_TOOLS, "There are no tools.")
        return found if tool.topic != "sum" else refuse(source)
    found, chosen = with_tools(source, "refuse", source.one([2, 2, 2, 3, 3]))
    lost = chosen.pop(source.integer(0, len(chosen) - 1))
    found.tools = [tool.definition(source) for tool in chosen]
    if lost.topic == "sum":
        return refuse(source)
    found.ask(asking.request(source, lost)[0], NO_TOOL_FITS, "None of the tools fits.")
    return found


def ask_back(source):
    found, chosen = with_tools(source, "ask back")
    tool = source.one(chosen)
    lacking = asking.missing(source, tool)
    if lacking is None:
        return ask_back(source)
    ask_for_missing(found, source, tool, lacking)
    return found


def ask_for_missing(found, source, tool, lacking):
    """The question for what is missing, and often the call once it has been said."""
    asked, reply, arguments = lacking
    found.ask(*asked)
    if source.chance(0.6):
        found.ask(reply, call_text([(tool.name, arguments)]), asking.thought_of(tool.name, arguments))


def talk_beside_tools(source):
    """Tools are there, but nothing needs them."""
    found, chosen = with_tools(source, "no call")
    make = source.one([talk.small_talk, talk.small_talk, talk.fact, talk.unknown, arithmetic.calculate, talk.echo])
    if make is arithmetic.calculate and any(tool.topic == "sum" for tool in chosen):
        make = talk.small_talk
    found.ask(*make(source))
    return found


def long_with_tools(source):
    """Calls, results, refusals and talk under one list of tools: much to learn for one prompt."""
    found, chosen = with_tools(source, "mixed")
    for _ in range(source.integer(3, 7)):
        tool = source.one(chosen)
        kind = source.random.random()
        if kind < 0.6:
            arguments = call_once(found, source, tool)
            if source.chance(0.75):
                found.respond(*results.result(source, tool, arguments))
            asking.refill(source, tool)
        elif kind < 0.75:
            other = tools.toolbox(source, 1)[0]
            words = set(other.topic.split())
            if other.topic != "sum" and not any(words & set(tool.topic.split()) for tool in chosen):
                found.ask(asking.request(source, other)[0], NO_TOOL_FITS, "None of the tools fits.")
        elif kind < 0.85:
            lacking = asking.missing(source, tool)
            if lacking:
                ask_for_missing(found, source, tool, lacking)
        else:
            found.ask(*source.one([talk.small_talk, talk.echo, talk.fact])(source))
    return found if found.turns else long_with_tools(source)


def extract(source):
    own, question, answer, thought = extraction.extract(source)
    found = Conversation("json", [], own)
    if own and source.chance(0.2):
        found.system = f"{persona(source)}\n\n{own}"
    found.ask(question, answer, thought)
    return found


SKILLS = {
    "talk": (simple("talk", talk.small_talk, [1, 1, 2, 3, 4]), 14),
    "fact": (simple("fact", talk.fact, [1, 2, 3]), 2),
    "unknown": (simple("unknown", talk.unknown, [1, 2]), 2),
    "echo": (simple("echo", talk.echo, [1, 2, 3, 4]), 5),
    "name": (names, 3),
    "arithmetic": (simple("arithmetic", arithmetic.calculate, [1, 2, 4, 6, 8]), 26),
    "story": (simple("story", arithmetic.story, [1, 2, 3]), 5),
    "compare": (simple("compare", arithmetic.compare), 1),
    "count": (simple("count", arithmetic.count), 1),
    "chat": (chat, 6),
    "call": (call, 14),
    "parallel": (parallel, 2),
    "result": (use_result, 10),
    "refuse": (refuse, 7),
    "ask back": (ask_back, 5),
    "no call": (talk_beside_tools, 6),
    "mixed": (long_with_tools, 16),
    "json": (extract, 14),
}
NEVER_THOUGHT = 0.65  # the share of conversations that the model answers at once


def draw(source):
    """A conversation of a random skill, and whether it thinks."""
    names, weights = list(SKILLS), [weight for _, weight in SKILLS.values()]
    skill = source.random.choices(names, weights)[0]
    return SKILLS[skill][0](source), not source.chance(NEVER_THOUGHT)
