"""The scripted answers of the mock server, chosen by the beginning of the question."""

import re
from dataclasses import dataclass, field

DIES = object()

MARKDOWN = """\
# Swift on the server

Swift is a **compiled** language with *value semantics*, ~~slow~~ quick start-up, and `async`/`await`. It runs on
[Linux](https://www.swift.org/documentation/server/), and on machines as small as a Raspberry Pi.

## Why it works well

1. Memory is counted, not collected:
   - no pauses,
   - **predictable** use of memory.
2. Types that cross threads are checked.
3. C libraries are called without glue.

- [x] Parse the file
- [ ] Map the weights

> A quote may have *emphasis*,
> and go on for more than one line.

```swift
/// Adds two numbers.
func add(_ a: Int, _ b: Int) -> Int {
    a + b  // no overflow is expected here, as both are small
}
```

### Figures

| Model | Size | Tokens/s |
|:------|:----:|---------:|
| LFM2-350M | 219 MB | 212.4 |
| LFM2-1.2B | 731 MB | 71.9 |
| SmolLM2 | 94 MB | 305.1 |

The area of a circle is \\(A = \\pi r^2\\), and

$$
\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}
$$

---

That is all. See https://example.org/wiki/Swift_(language), or ask again!
"""

SHORT = "Light is scattered by the air, and blue light more than red. So the sky is **blue** wherever you look."

# Each line tries to inject something that runs, loads or links elsewhere.
HOSTILE = """\
<script>window.hacked = 1</script>
<img src=x onerror="window.hacked = 1">
<svg onload="window.hacked = 1"><script>window.hacked = 1</script></svg>
<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>
<a href="javascript:window.hacked=1">a</a>
<style>body { display: none }</style>

[click](javascript:window.hacked=1) [click](JaVaScRiPt:window.hacked=1) [click](java\tscript:window.hacked=1)
[click](data:text/html,<script>window.hacked=1</script>) [click](vbscript:x) [click](file:///etc/passwd)
[click](blob:http://x/y) [click](//evil.example) [click](&#106;avascript:window.hacked=1) <javascript:window.hacked=1>
[click](\x01javascript:window.hacked=1) [click]( javascript:window.hacked=1) [x](https://a.example" onclick="window.hacked=1)
![pixel](http://127.0.0.1:9/pixel.png) ![pixel](data:image/svg+xml,<svg/onload=window.hacked=1>)
[![pixel](http://127.0.0.1:9/pixel.png)](javascript:window.hacked=1)
[a [b](https://b.example) c](https://c.example)

`<img src=x onerror=window.hacked=1>` **<img src=x onerror=window.hacked=1>**

```"><img src=x onerror=window.hacked=1>
</code></pre><script>window.hacked = 1</script>
```

| <img src=x onerror=window.hacked=1> | [x](javascript:window.hacked=1) |
|---|---|
| <b onclick=window.hacked=1>b</b> | &lt;img src=x onerror=window.hacked=1&gt; |

- <img src=x onerror=window.hacked=1>
- [ ] <input onfocus=window.hacked=1 autofocus>

# <img src=x onerror=window.hacked=1>
> <script>window.hacked = 1</script>
"""

# Each of these makes a careless parser slow: quadratic, or worse.
SLOW = [
    "*a " * 20_000, "_a **b " * 10_000, "[" * 40_000, "[a](" * 10_000, "`" * 40_000, "".join("`" * n + " " for n in range(280)),
    ">" * 40_000, "- " * 20_000, "* + - " * 7_000, "#" + " " * 40_000 + "x", "```" + " " * 40_000 + "`", "|" + " " * 40_000 + "x",
    "|" * 40_000 + "\n" + "|-" * 20_000, "https://" + "." * 40_000 + "x", "*" * 40_000 + "x", "](" + " " * 40_000 + "x",
    "\\(" * 20_000, "$$" * 20_001, "<" * 40_000, "&#" * 20_000, "a\n" * 20_000 + "=", "1. a\n" * 8_000, "    " * 10_000 + "x",
    "![" * 20_000, "~~a" * 13_000, "[a]" * 13_000 + "(", "[](" * 13_000 + "\n",
]


@dataclass
class Script:
    text: str = ""
    reasoning: str = ""
    calls: list = field(default_factory=list)
    progress: int = 0
    ends: object = None
    finish: str = "stop"
    status: int = 200
    message: str = ""
    pause: float | None = None
    batch: int = 1

    def deltas(self, body):
        for done in range(self.progress):
            yield {"prompt_progress": {"total": 4000, "cache": 0, "processed": 4000 * done // self.progress, "time_ms": 1}}
        yield from ({"reasoning_content": piece} for piece in pieces(self.reasoning))
        text = continued(body["messages"]) if self.text == "continue" else self.text
        yield from ({"content": piece} for piece in pieces(text))
        for index, (name, arguments) in enumerate(self.calls):
            yield {"tool_calls": [{"index": index, "id": f"call_{index}", "type": "function",
                                   "function": {"name": name, "arguments": ""}}]}
            yield from ({"tool_calls": [{"index": index, "function": {"arguments": piece}}]} for piece in pieces(arguments))
        if self.ends is not None:
            yield self.ends


def pieces(text):
    """Splits text like a tokenizer: words with the space before them, in parts of at most five characters."""
    return re.findall(r"\s?[^\s]{1,5}|\s", text)


def continued(messages):
    return " and so on" if messages[-1]["role"] == "assistant" else "it begins"


THOUGHT = "The user asks about the sky.\n\nI should mention **Rayleigh** scattering, and keep it short."
WEATHER = [("get_weather", '{"city": "Paris", "unit": "celsius"}'), ("get_time", '{"zone": "Europe/Paris"}')]

SCRIPTS = {
    "sky": Script(SHORT),
    "markdown": Script(MARKDOWN),
    "hostile": Script(HOSTILE),
    "think": Script(SHORT, reasoning=THOUGHT),
    "weather": Script("Let me look.", calls=WEATHER, finish="tool_calls"),
    "slowly": Script("word " * 2000, pause=0.05),
    "long": Script((MARKDOWN + "\n") * 40, pause=0.004, batch=8),
    "endless code": Script("```swift\n" + "let value = compute(1, 2, 3)\n" * 7200 + "```\n", pause=0.002, batch=40),
    "endless list": Script("- an item with **some** `words` in it\n" * 5000, pause=0.002, batch=40),
    "endless": Script((MARKDOWN + "\n") * 190, pause=0.002, batch=40),
    "prefill": Script(SHORT, progress=40, pause=0.05),
    "cut": Script("This ends in the", finish="length"),
    "continue": Script("continue", finish="length"),
    "dies": Script("It was a dark and stormy night, and", ends=DIES),
    "fails": Script("It was a dark and", ends={"error": {"message": "The server is shutting down.", "type": "server_error"}}),
    "busy": Script(status=503, message="All places are taken."),
    "שלום": Script("שלום, *עולם*!"),
    "broken": Script(status=500, message="Something went wrong inside. Its number is 42."),
}


def last_words(messages):
    """The text of the last message of the user, or what a tool returned after it."""
    last = [each for each in messages if each["role"] != "assistant"][-1]
    if last["role"] == "tool":
        return f"The tool says: {last['content']}"
    content = last["content"]
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)


def script_for(question):
    if (number := re.match(r"slow parser (\d+)", question)) is not None:
        return Script(SLOW[int(number[1])])
    for name, script in SCRIPTS.items():
        if question.startswith(name):
            return script
    return Script(f"You said: {question}")
