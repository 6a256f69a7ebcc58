"""A conversation, and how it stands in the prompt."""

import json
from dataclasses import dataclass, field

TOOL_LIST = ("<|tool_list_start|>", "<|tool_list_end|>")
TOOL_CALL = ("<|tool_call_start|>", "<|tool_call_end|>")
TOOL_RESPONSE = ("<|tool_response_start|>", "<|tool_response_end|>")


@dataclass
class Turn:
    role: str
    content: str
    thought: str = None


@dataclass
class Conversation:
    """Turns under one system message. Only the last turn may have a thought: templates strip older ones."""

    skill: str
    turns: list
    system: str = None
    tools: list = field(default_factory=list)

    def ask(self, question, answer, thought=None):
        self.turns += [Turn("user", question), Turn("assistant", answer, thought)]

    def respond(self, result, answer, thought=None):
        """What a tool returned, and what the assistant makes of it."""
        self.turns += [Turn("tool", result), Turn("assistant", answer, thought)]

    def segments(self, thinks=False):
        """The text in pieces, each with whether the assistant says it. With `thinks`, the last turn has its thought.

        `chat_template.jinja` renders the same text; `check.py` compares the two.
        """
        yield "<|startoftext|>", False
        system = self.system_text()
        if system:
            yield f"<|im_start|>system\n{system}<|im_end|>\n", False
        for index, turn in enumerate(self.turns):
            is_last = index == len(self.turns) - 1
            if turn.role != "assistant":
                content = turn.content if turn.role != "tool" else turn.content.join(TOOL_RESPONSE)
                yield f"<|im_start|>{turn.role}\n{content}<|im_end|>\n", False
                continue
            if thinks and is_last:
                yield "<|im_start|>assistant\n<think>\n", False
                yield f"{turn.thought}\n</think>\n\n{turn.content}<|im_end|>", True
            else:
                yield "<|im_start|>assistant\n", False
                yield f"{turn.content}<|im_end|>", True
            yield "\n", False

    def system_text(self):
        lines = [self.system] if self.system else []
        if self.tools:
            listed = ", ".join(dump(tool) for tool in self.tools)
            lines.append(f"List of tools: {TOOL_LIST[0]}[{listed}]{TOOL_LIST[1]}")
        return "\n".join(lines)


def dump(value):
    """JSON as chat templates write it."""
    return json.dumps(value, ensure_ascii=False)


def sorted_keys(value):
    """JSON as encoders write it that sort the keys of objects."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    return value


def python_literal(value):
    """A value as an argument of a call. Strings are quoted as in JSON."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(python_literal(item) for item in value) + "]"
    return dump(value)


def call_text(calls):
    """Calls `(name, arguments)` in LFM2's syntax."""
    written = [f"{name}({', '.join(f'{key}={python_literal(value)}' for key, value in arguments.items())})"
               for name, arguments in calls]
    return f"{TOOL_CALL[0]}[{', '.join(written)}]{TOOL_CALL[1]}"
