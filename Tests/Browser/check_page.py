#!/usr/bin/env python3
"""Tests the web page of `leap serve` in Chromium, against a server with scripted answers.

    pip install playwright==1.65.2 axe-playwright-python==0.1.8
    Tests/Browser/check_page.py [NAME ...] [--screenshots FOLDER] [--chromium /usr/bin/chromium]
    Tests/Browser/check_page.py --server http://127.0.0.1:8080 [--key KEY]

Names choose cases. With a server, the few cases run that any model passes. scripts/check-page installs what is needed.
"""

import argparse
import base64
import json
import re
import struct
import sys
import tempfile
import time
import traceback
import zlib
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import answers
from mock_server import KEY, PAGE, MockServer

LARGEST = 86 * 1024
CASES = []


def png(width=1, height=1):
    """A picture of red pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\xff\0\0" * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")



def case(check=None, *, any_server=False):
    """Marks a function as a test. Its name states what is tested; it gets a fresh `Window` and its server."""
    if check is None:
        return lambda check: case(check, any_server=any_server)
    check.any_server = any_server
    CASES.append(check)
    return check


class Window:
    """A page in a browser of its own, and what tests do with it."""

    def __init__(self, browser, url, **options):
        self.url = url
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.problems = []
        self.requests = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: self.note(message))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def note(self, message):
        """Records an error; failed requests, which the browser logs too, are often intended by a test."""
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.problems.append(message.text)

    def open(self, fragment=""):
        self.page.goto(self.url + fragment)
        expect(self.page.locator("#model option")).not_to_have_count(0)
        return self

    def ask(self, text, wait=True):
        self.page.fill("#prompt", text)
        self.page.press("#prompt", "Enter")
        if wait:
            self.finish()

    def finish(self):
        """Waits for the end of the answer."""
        expect(self.page.locator(".answer footer.running")).to_have_count(0, timeout=120_000)

    @property
    def answer(self):
        return self.page.locator(".answer").last

    @property
    def text(self):
        return self.answer.locator("> .markdown").inner_text()

    @property
    def chats(self):
        return self.page.locator("#conversations li")

    def button(self, title):
        return self.page.get_by_role("button", name=title)


def equal(found, expected, what=""):
    assert found == expected, f"{what}: found {found!r}, expected {expected!r}"


# Loading


@case
def page_is_smaller_than_86_KB(window, server):
    total = sum(file.stat().st_size for file in PAGE.iterdir())
    print(f"      {total} bytes in {len(list(PAGE.iterdir()))} files")
    assert total < LARGEST, f"{total} bytes"


@case
def page_loads_only_its_own_files(window, server):
    window.open()
    window.ask("hostile")
    window.ask("markdown")
    foreign = [url for url in window.requests if not url.startswith((server.url, "data:", "blob:"))]
    equal(foreign, [], "requests elsewhere")
    names = {url.removeprefix(server.url).split("?")[0] for url in window.requests if not url.startswith("data:")}
    unused = {file.name for file in PAGE.iterdir()} - names - {"index.html"}
    equal(unused, set(), "files that nothing loads")


@case
def page_works_behind_a_proxy_with_a_path(window, server):
    below = MockServer(prefix="/ai/chat")
    window.url = below.url
    window.open()
    window.ask("sky")
    assert "wherever you look" in window.text
    below.stop()


@case
def page_shows_a_message_without_javascript(window, server):
    page = window.context.browser.new_context(java_script_enabled=False).new_page()
    page.goto(server.url)
    assert "JavaScript" in page.inner_text("noscript"), page.inner_text("body")


# Answers


@case(any_server=True)
def answer_is_streamed_and_counted(window, server):
    window.open()
    window.ask("sky: say one sentence")
    assert window.text.strip(), "no text arrived"
    expect(window.answer.locator(".stats")).to_contain_text(re.compile(r"\d+ tokens? · "))
    expect(window.page.locator("#context")).to_contain_text("tokens")


@case
def statistics_and_context_come_from_the_server(window, server):
    window.open()
    window.ask("sky")
    stats = window.answer.locator(".stats").inner_text()
    assert "41.3/s" in stats and "prompt 523 (412 cached, 891/s)" in stats, stats
    used = 523 + int(re.match(r"\d+", stats)[0])
    equal(window.page.inner_text("#context"), f"{used} of 4,096 tokens")


@case
def markdown_is_rendered_as_elements(window, server):
    window.open()
    window.ask("markdown")
    expected = {
        "h3.level-1": 1, "h3.level-2": 1, "h3.level-3": 1, "strong": 2, "em": 2, "del": 1, "ol > li": 3, "ol ul > li": 2,
        ".task input:checked": 1, ".task input:not(:checked)": 1, "blockquote": 1, "figure.code": 1, "tbody tr": 3,
        "th.right": 1, "td.centre": 3, "code.mathematics": 2, "hr": 1,
    }
    found = {selector: window.answer.locator(selector).count() for selector in expected}
    equal(found, expected)
    equal(window.answer.locator("figure.code span").inner_text(), "swift")
    links = window.answer.locator("a").evaluate_all("links => links.map(a => [a.href, a.rel, a.target])")
    equal(links, [["https://www.swift.org/documentation/server/", "noopener noreferrer", "_blank"],
                  ["https://example.org/wiki/Swift_(language)", "noopener noreferrer", "_blank"]])


@case
def streamed_markdown_matches_the_page_after_a_reload(window, server):
    """What was streamed in small pieces must look like what is shown at once after a reload."""
    window.open()
    structure = "node => node.outerHTML.replace(/<span class=.unseen.*?<.span>/g, '')"
    for script in ["markdown", "hostile", "think"]:
        window.ask(script)
        streamed = window.answer.locator("> .markdown").evaluate(structure)
        window.page.reload()
        expect(window.answer).to_be_visible()
        equal(window.answer.locator("> .markdown").evaluate(structure), streamed, script)


@case
def markdown_does_not_flicker(window, server):
    """While it is streamed no mark is shown that the finished answer does not show, and nothing is taken back."""
    window.open()
    window.page.evaluate("""() => {
        window.shown = [];
        new MutationObserver(() => {
            const last = [...document.querySelectorAll(".answer > .markdown")].at(-1);
            if (last) window.shown.push(last.textContent);
        }).observe(document.getElementById("transcript"), { childList: true, subtree: true, characterData: true });
    }""")
    window.ask("markdown")
    final = window.answer.locator("> .markdown").evaluate("node => node.textContent")
    shown = window.page.evaluate("window.shown")
    taken_back = [text for text in shown if not final.startswith(text)]
    assert len(shown) > 50, f"only {len(shown)} steps were seen"
    # A link whose address is still coming shows it for a moment, as does an address without brackets.
    assert len(taken_back) <= len(shown) * 0.05, taken_back[:5]


@case
def hostile_answers_stay_text(window, server):
    window.open()
    window.ask("hostile")
    window.answer.hover()
    window.page.wait_for_timeout(300)
    equal(window.page.evaluate("window.hacked"), None, "script ran")
    tags = window.answer.locator("> .markdown *").evaluate_all("all => [...new Set(all.map(n => n.localName))].sort()")
    allowed = {"a", "blockquote", "br", "button", "code", "div", "em", "figcaption", "figure", "h3", "input", "li", "p", "pre",
               "span", "strong", "svg", "table", "tbody", "td", "th", "thead", "tr", "ul", "use"}
    assert set(tags) <= allowed, set(tags) - allowed
    attributes = window.answer.locator("> .markdown *").evaluate_all(
        "all => [...new Set(all.flatMap(n => n.getAttributeNames()))]")
    assert not [name for name in attributes if name.startswith("on") or name in ("src", "srcdoc", "style")], attributes
    schemes = window.answer.locator("a").evaluate_all("links => [...new Set(links.map(a => a.protocol))]")
    assert set(schemes) <= {"http:", "https:", "mailto:"}, schemes
    assert "<script>window.hacked = 1</script>" in window.text


@case
def hostile_titles_names_and_errors_stay_text(window, server):
    window.open()
    attack = "<img src=x onerror=window.hacked=1>"
    window.page.set_input_files("#files", {"name": attack + ".txt", "mimeType": "text/plain", "buffer": b"x"})
    window.ask(attack)
    expect(window.page.locator("#title")).to_have_text(attack)
    equal(window.page.evaluate("window.hacked"), None)
    equal(window.page.locator("img").count(), 0, "images")


@case
def markdown_parser_is_fast_on_hostile_input(window, server):
    """Each of these would take minutes in a parser that is quadratic in the wrong place."""
    window.open()
    parse = """async (source) => {
        const { Markdown } = await import("./markdown.js");
        const begin = performance.now();
        new Markdown().show(source, true);
        new Markdown().show(source, false);
        return performance.now() - begin;
    }"""
    times = [window.page.evaluate(parse, source) for source in answers.SLOW]
    print("      " + " ".join(f"{each:.0f}" for each in times) + " ms")
    for source, taken in zip(answers.SLOW, times):
        assert taken < 5000, f"{source[:20]!r}… took {taken:.0f} ms"


@case
def random_markdown_does_not_depend_on_its_chunks(window, server):
    window.open()
    found = window.page.evaluate("""async () => {
        const { Markdown } = await import("./markdown.js");
        const parts = ["*", "**", "_", "`", "```", "~~", "[", "](http://a.b", ")", "> ", "- ", "1. ", "# ", "|", "|-|", "\\n", "\\n\\n",
            "  ", "word", "<br>", "\\\\", "$$", "\\\\(", "\\\\)", "---", "[x] ", "https://a.b/c", "é", "😀"];
        let seed = 1;
        const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
        for (let round = 0; round < 3000; round += 1) {
            const source = Array.from({ length: 1 + random(24) }, () => parts[random(parts.length)]).join("");
            const streamed = new Markdown();
            for (let end = 1; end < source.length; end += 1 + random(4)) streamed.show(source.slice(0, end), true);
            streamed.show(source, false);
            const whole = new Markdown();
            whole.show(source, false);
            if (streamed.node.textContent.replace(/\\s/g, "") !== whole.node.textContent.replace(/\\s/g, "")) {
                return [round, source, streamed.node.innerHTML, whole.node.innerHTML];
            }
        }
        return null;
    }""")
    equal(found, None)


@case
def code_and_answers_are_copied_verbatim(window, server):
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.open()
    window.ask("markdown")
    window.button("Copy code").click()
    code = answers.MARKDOWN.split("```swift\n")[1].split("\n```")[0]
    equal(window.page.evaluate("navigator.clipboard.readText()"), code)
    window.button("Copy answer").click()
    equal(window.page.evaluate("navigator.clipboard.readText()"), answers.MARKDOWN)


@case
def reasoning_is_collapsed(window, server):
    window.open()
    window.ask("think")
    thinking = window.answer.locator(".thinking")
    expect(thinking.locator("summary")).to_contain_text("Thought for")
    assert not thinking.locator(".markdown").is_visible()
    thinking.locator("summary").click()
    expect(thinking.locator("strong")).to_have_text("Rayleigh")
    assert "Rayleigh" not in window.text


@case
def tool_calls_are_shown(window, server):
    window.open()
    window.ask("weather")
    calls = window.answer.locator(".call")
    expect(calls).to_have_count(2)
    expect(calls.first).to_contain_text("get_weather")
    expect(calls.first.locator("pre")).to_have_text(json.dumps({"city": "Paris", "unit": "celsius"}, indent=2))


@case
def tool_calls_can_be_answered_manually(window, server):
    window.open()
    window.ask("weather")
    window.answer.get_by_role("button", name="Answer the calls").click()
    window.page.get_by_label("Result of get_weather").fill("22 C")
    window.page.get_by_label("Result of get_time").fill("noon")
    window.page.locator(".reply").get_by_role("button", name="Send").click()
    window.finish()
    # The model gets its calls and their results.
    assert window.text == "You said: The tool says: noon", window.text
    calls, weather, time = server.behaviour.requests[-1]["messages"][-3:]
    assert [call["function"]["name"] for call in calls["tool_calls"]] == ["get_weather", "get_time"]
    assert (weather["tool_call_id"], weather["content"]) == (calls["tool_calls"][0]["id"], "22 C")
    assert (time["tool_call_id"], time["content"]) == (calls["tool_calls"][1]["id"], "noon")
    # The results are still there after a reload.
    window.page.reload()
    expect(window.page.locator(".turn pre").last).to_have_text("noon")


@case
def long_prompts_show_their_progress(window, server):
    window.open()
    window.ask("prefill", wait=False)
    expect(window.answer.locator(".waiting")).to_have_text(re.compile(r"Reading… [1-9]\d? %"))
    window.finish()
    assert not window.answer.locator(".waiting").is_visible()


def frames_of(window, question):
    """Frame times while an answer comes, in milliseconds, and how many tokens it had."""
    window.open()
    window.page.evaluate("""() => {
        window.frames_ = [];
        let last = performance.now();
        const frame = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(frame); };
        requestAnimationFrame(frame);
        window.tasks = [];
        new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(e => e.duration))).observe({ type: "longtask" });
    }""")
    window.ask(question)
    times = sorted(window.page.evaluate("window.frames_"))
    tasks = window.page.evaluate("window.tasks")
    tokens = window.answer.locator(".stats").inner_text().split(" tokens")[0]
    quantile = lambda share: times[int(share * (len(times) - 1))]
    print(f"      {question}: {tokens} tokens, {len(times)} frames, median {quantile(.5):.0f} ms, 95 % {quantile(.95):.0f} ms, "
          f"99 % {quantile(.99):.0f} ms, longest {times[-1]:.0f} ms; {len(tasks)} tasks over 50 ms, longest {max(tasks, default=0):.0f} ms")
    return times[-1]


@case
def page_stays_responsive_with_an_answer_of_10_000_tokens(window, server):
    assert frames_of(window, "long") < 5000
    window.page.reload()
    expect(window.answer.locator("h3.level-1")).to_have_count(40)


@case
def page_stays_responsive_with_answers_of_50_000_tokens(window, server):
    for question in ["endless", "endless code", "endless list"]:
        assert frames_of(window, question) < 5000


# Sending


@case(any_server=True)
def stopping_keeps_the_partial_answer(window, server):
    window.open()
    window.ask("slowly count to one thousand", wait=False)
    expect(window.answer.locator("> .markdown")).not_to_be_empty()
    window.page.keyboard.press("Escape")
    window.finish()
    expect(window.answer.locator(".note")).to_contain_text("Stopped.")
    assert window.text.strip()
    if server is not None:
        assert server.behaviour.aborted.wait(5), "the server did not notice"


@case
def stop_button_stops(window, server):
    window.open()
    window.ask("slowly", wait=False)
    window.button("Stop").click()
    window.finish()
    expect(window.answer.locator(".note")).to_contain_text("Stopped.")


@case
def truncated_answer_can_be_continued(window, server):
    window.open()
    window.ask("cut")
    expect(window.answer.locator(".note")).to_contain_text("maximum length")
    server.behaviour.requests.clear()
    window.ask("continue")
    window.button("Continue").last.click()
    window.finish()
    equal(window.text, "it begins and so on")
    equal(server.behaviour.requests[-1]["messages"][-1], {"role": "assistant", "content": "it begins"})


@case
def truncated_answer_before_others_can_be_continued(window, server):
    window.open()
    window.ask("continue")
    window.ask("sky")
    window.page.locator(".note").get_by_role("button", name="Continue").click()
    expect(window.page.locator(".answer").first.locator("> .markdown")).to_have_text("it begins and so on")
    window.finish()
    messages = server.behaviour.requests[-1]["messages"]
    equal([each["content"] for each in messages], ["continue", "it begins"])
    assert "wherever you look" in window.text, window.text


@case
def regenerated_answers_are_kept_as_versions(window, server):
    window.open()
    window.ask("sky")
    window.button("Answer again").click()
    window.finish()
    expect(window.answer.locator(".versions")).to_have_text("2 / 2")
    window.page.locator(".versions:visible").first.click()
    expect(window.answer.locator(".versions")).to_have_text("1 / 2")
    equal([each["role"] for each in server.behaviour.requests[-1]["messages"]], ["user"])


@case
def edited_question_starts_a_branch(window, server):
    window.open()
    window.ask("first words")
    window.ask("second words")
    window.button("Edit message").first.click()
    field = window.page.get_by_label("Edit message")
    expect(field).to_be_focused()
    field.fill("other words")
    field.press("Enter")
    window.finish()
    equal(window.page.locator(".bubble").all_inner_texts(), ["other words"])
    equal(window.text, "You said: other words")
    window.page.locator(".versions:visible").first.click()
    equal(window.page.locator(".bubble").all_inner_texts(), ["first words", "second words"])


@case
def enter_sends_and_shift_enter_does_not(window, server):
    window.open()
    window.page.fill("#prompt", "one")
    window.page.press("#prompt", "Shift+Enter")
    window.page.keyboard.type("two")
    window.page.press("#prompt", "Enter")
    window.finish()
    equal(window.page.locator(".bubble").inner_text(), "one\ntwo")


@case
def enter_in_an_input_method_does_not_send(window, server):
    window.open()
    window.page.fill("#prompt", "にほん")
    window.page.evaluate("""document.getElementById("prompt").dispatchEvent(
        new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))""")
    window.page.wait_for_timeout(200)
    equal(window.page.locator(".turn").count(), 0)


@case
def settings_are_sent_with_the_request(window, server):
    window.open()
    window.button("Chat settings").click()
    equal(window.page.get_by_label("Temperature").get_attribute("placeholder"), "0.8")
    window.page.get_by_label("System prompt").fill("Be brief.")
    window.page.get_by_label("Temperature").fill("0.25")
    window.page.get_by_label("Max tokens").fill("99")
    window.page.get_by_label("Seed").fill("7")
    window.page.get_by_label("Thinking").select_option("low")
    extra = window.page.get_by_label("Other fields")
    extra.fill("[1]")
    window.button("Save").click()
    expect(window.page.locator("#settings-problem")).to_contain_text("JSON object")
    extra.fill('{"top_k": 40}')
    window.button("Save").click()
    window.ask("sky")
    request = server.behaviour.requests[-1]
    sent = {name: request.get(name) for name in ["temperature", "max_tokens", "seed", "reasoning_effort", "top_k", "top_p", "stream"]}
    equal(sent, {"temperature": 0.25, "max_tokens": 99, "seed": 7, "reasoning_effort": "low", "top_k": 40, "top_p": None, "stream": True})
    equal(request["messages"][0], {"role": "system", "content": "Be brief."})
    window.button("New chat").click()
    window.ask("sky")
    equal(len(server.behaviour.requests[-1]["messages"]), 1, "messages without settings")


@case
def settings_can_apply_to_new_chats(window, server):
    window.open()
    window.button("Chat settings").click()
    window.page.get_by_label("Temperature").fill("0.5")
    window.page.get_by_label("Also for new chats").check()
    window.button("Save").click()
    window.open()
    window.ask("sky")
    equal(server.behaviour.requests[-1]["temperature"], 0.5)


@case
def text_files_and_images_are_attached(window, server):
    window.open()
    window.page.set_input_files("#files", [
        {"name": "a.swift", "mimeType": "", "buffer": b"let a = `1`\n```\n"},
        {"name": "p.png", "mimeType": "image/png", "buffer": png()},
    ])
    expect(window.page.locator("#chosen li")).to_have_count(2)
    window.ask("sky")
    picture, words = server.behaviour.requests[-1]["messages"][0]["content"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,"), picture
    equal(words["text"], "File: a.swift\n````\nlet a = `1`\n```\n````\n\nsky")
    expect(window.page.locator(".question img")).to_have_count(1)
    expect(window.page.locator("#chosen li")).to_have_count(0)


@case
def images_are_shrunk_to_what_models_see(window, server):
    sizes = {(2048, 2048): (2048, 2048), (5120, 512): (5120, 512), (10240, 400): (5120, 200), (4096, 2048): (2897, 1449)}
    window.open()
    window.page.set_input_files("#files", [
        {"name": f"{width}.png", "mimeType": "image/png", "buffer": png(width, height)} for width, height in sizes])
    expect(window.page.locator("#chosen li")).to_have_count(len(sizes))
    window.ask("sky")
    pictures = server.behaviour.requests[-1]["messages"][0]["content"][:-1]
    files = [base64.b64decode(picture["image_url"]["url"].split(",")[1]) for picture in pictures]
    equal(sorted(struct.unpack(">II", file[16:24]) for file in files), sorted(sizes.values()))


@case
def images_wait_for_the_properties_of_the_model(window, server):
    server.behaviour.props_take = 1.5
    window.open()
    window.page.set_input_files("#files", [{"name": "p.png", "mimeType": "image/png", "buffer": png()}])
    expect(window.page.locator("#chosen li")).to_have_count(1)


@case
def images_are_rejected_without_vision_support(window, server):
    server.behaviour.vision = False
    window.open()
    window.page.set_input_files("#files", [{"name": "p.png", "mimeType": "image/png", "buffer": png()},
                                           {"name": "b.bin", "mimeType": "", "buffer": b"\xff\xfe\0"}])
    expect(window.page.locator("#notices")).to_contain_text("this model does not support images")
    expect(window.page.locator("#notices")).to_contain_text("not a text file")
    expect(window.page.locator("#chosen li")).to_have_count(0)


# Errors


@case
def lost_connection_in_mid_stream_is_reported(window, server):
    window.open()
    window.ask("dies")
    expect(window.answer.locator(".note")).to_contain_text("connection was lost")
    equal(window.text, "It was a dark and stormy night, and")


@case
def unreachable_server_is_reported_and_can_be_retried(window, server):
    mortal = MockServer()
    port = mortal.server_port
    window.url = mortal.url
    window.open()
    window.ask("sky")
    mortal.stop()
    window.ask("sky")
    expect(window.answer.locator(".note")).to_contain_text("cannot be reached")
    reborn = MockServer(port=port)
    window.button("Try again").click()
    window.finish()
    assert "wherever you look" in window.text
    reborn.stop()


@case
def error_in_mid_stream_is_reported(window, server):
    window.open()
    window.ask("fails")
    expect(window.answer.locator(".note")).to_contain_text("The server is shutting down.")
    equal(window.text, "It was a dark and")


@case
def errors_are_shown_with_the_message_of_the_server(window, server):
    window.open()
    window.ask("busy")
    expect(window.answer.locator(".note")).to_contain_text("All places are taken. Try again in 2 s.")
    window.ask("broken")
    expect(window.answer.locator(".note")).to_contain_text("Its number is 42.")
    window.ask("sky")
    roles = [each["role"] for each in server.behaviour.requests[-1]["messages"]]
    equal(roles, ["user", "user", "user"], "failed answers are not sent")


@case
def page_waits_while_the_model_loads(window, server):
    server.behaviour.loading = True
    window.page.goto(window.url)
    expect(window.page.locator("#connection")).to_contain_text("The model is loading.")
    server.behaviour.loading = False
    expect(window.page.locator("#connection")).to_be_hidden()
    window.ask("sky")
    assert window.text


@case
def chosen_model_survives_a_server_that_loads(window, server):
    window.open()
    window.page.select_option("#model", "lfm2-1.2b-instruct-q4_k_m")
    window.ask("sky")
    server.behaviour.loading = True
    window.page.reload()
    expect(window.page.locator("#connection")).to_contain_text("The model is loading.")
    expect(window.answer).to_be_visible()
    server.behaviour.loading = False
    expect(window.page.locator("#connection")).to_be_hidden()
    expect(window.page.locator("#model")).to_have_value("lfm2-1.2b-instruct-q4_k_m")


@case
def key_that_no_request_can_carry_is_rejected_at_once(window, server):
    server.behaviour.needs_key = True
    window.page.goto(window.url)
    field = window.page.locator("#key-field")
    field.fill("schlüssel😀")
    field.press("Enter")
    assert field.evaluate("field => field.validity.patternMismatch")
    field.fill(KEY)
    field.press("Enter")
    expect(window.page.locator("#model option")).not_to_have_count(0)


@case
def key_is_requested_and_kept_in_the_tab_only(window, server):
    server.behaviour.needs_key = True
    window.page.goto(window.url)
    field = window.page.locator("#key-field")
    field.fill("wrong")
    field.press("Enter")
    expect(window.page.locator("#key-problem")).to_contain_text("rejected")
    field.fill(KEY)
    field.press("Enter")
    expect(window.page.locator("#model option")).not_to_have_count(0)
    window.ask("sky")
    assert window.text
    window.page.reload()
    expect(window.page.locator("#model option")).not_to_have_count(0)
    assert not window.page.locator("#key").is_visible()
    equal(window.page.evaluate("Object.values({...localStorage}).join().includes('sesame')"), False, "on the disk")
    equal(window.page.evaluate("Object.values({...sessionStorage})"), [KEY])


@case
def page_works_without_storage_in_the_browser(window, server):
    window.context.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }")
    window.open()
    window.ask("sky")
    expect(window.page.locator("#notices")).to_contain_text("cannot be saved in this browser")
    window.button("New chat").click()
    window.ask("think")
    expect(window.chats).to_have_count(2)
    window.chats.last.click()
    expect(window.page.locator(".bubble")).to_have_text("sky")


@case
def page_works_where_site_data_are_blocked(window, server):
    window.context.add_init_script("""
        for (const name of ["localStorage", "sessionStorage"]) {
            Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError") } });
        }
        IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError") };
    """)
    server.behaviour.needs_key = True
    window.page.goto(window.url)
    window.page.locator("#key-field").fill(KEY)
    window.page.keyboard.press("Enter")
    expect(window.page.locator("#model option")).not_to_have_count(0)
    window.ask("sky")
    assert "wherever you look" in window.text
    window.page.click("#theme")
    equal(window.page.evaluate("document.documentElement.dataset.theme"), "light")
    window.button("Chat settings").click()
    window.page.get_by_label("System prompt").fill("Be brief.")
    window.page.locator("[name=defaults]").check()
    window.page.locator("#settings-form").get_by_role("button", name="Save").click()
    expect(window.page.locator("#settings")).to_be_hidden()


@case
def broken_default_settings_are_ignored(window, server):
    window.context.add_init_script("localStorage.setItem('leap-settings', '{')")
    window.open()
    window.ask("sky")
    assert "wherever you look" in window.text


@case
def unsaved_chats_stay_in_the_list_and_are_exported(window, server):
    window.open()
    window.page.evaluate("""() => {
        IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };
    }""")
    window.ask("sky")
    window.page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    window.page.wait_for_timeout(300)
    expect(window.chats).to_have_count(1)
    with window.page.expect_download() as download:
        window.button("Export").first.click()
    file = Path(tempfile.mkdtemp()) / "chats.json"
    download.value.save_as(file)
    equal([each["head"]["title"] for each in json.loads(file.read_text())["conversations"]], ["sky"])


@case
def full_storage_is_reported_once(window, server):
    window.open()
    window.page.evaluate("""() => {
        IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); };
    }""")
    window.ask("sky")
    window.ask("sky")
    expect(window.page.locator(".notice")).to_have_count(1)
    assert "wherever you look" in window.text


# Conversations


@case(any_server=True)
def reload_keeps_the_history(window, server):
    window.open()
    window.ask("sky: say one sentence")
    text = window.text
    window.page.reload()
    expect(window.answer).to_be_visible()
    equal(window.text, text)
    expect(window.chats).to_have_count(1)


@case
def reload_in_mid_answer_keeps_the_partial_answer(window, server):
    window.open()
    window.ask("slowly", wait=False)
    window.page.wait_for_timeout(1500)
    window.page.reload()
    expect(window.answer.locator(".note")).to_contain_text("closed before")
    assert len(window.text) > 20, window.text
    window.button("Continue").wait_for()


@case
def answers_continue_while_another_chat_is_open(window, server):
    server.behaviour.pause = 0.05
    window.open()
    window.ask("markdown", wait=False)
    expect(window.answer.locator("> .markdown")).not_to_be_empty()
    window.button("New chat").click()
    window.ask("sky")
    expect(window.page.locator("#conversations .running")).to_have_count(1)
    server.behaviour.pause = 0
    expect(window.page.locator("#conversations .running")).to_have_count(0)
    window.page.get_by_role("link", name="markdown").click()
    expect(window.answer).to_contain_text("or ask again!")


@case
def chats_are_searched_renamed_deleted_and_restored(window, server):
    window.open()
    for words in ["sky above", "the needle in it", "think"]:
        window.button("New chat").click()
        window.ask(words)
    search = window.page.get_by_label("Search chats")
    search.fill("NEEDLE")
    expect(window.chats).to_have_count(1)
    search.fill("scattered")
    expect(window.chats).to_have_count(2)
    search.fill("nowhere")
    expect(window.page.locator("#conversations")).to_contain_text("Nothing found.")
    search.fill("")
    expect(window.chats).to_have_count(3)
    window.chats.first.hover()
    window.chats.first.get_by_role("button", name="Rename").click()
    window.page.get_by_label("Title").fill("Another name")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("#title")).to_have_text("Another name")
    window.chats.first.hover()
    window.chats.first.get_by_role("button", name="Delete").click()
    expect(window.chats).to_have_count(2)
    expect(window.page.locator(".turn")).to_have_count(0)
    window.button("Undo").click()
    expect(window.chats).to_have_count(3)
    window.page.reload()
    expect(window.chats).to_have_count(3)
    expect(window.chats.first).to_have_text("Another name")


@case
def deleted_chat_stays_deleted_while_its_answer_ends(window, server):
    window.open()
    window.ask("slowly", wait=False)
    expect(window.answer.locator("> .markdown")).not_to_be_empty()
    window.chats.first.hover()
    window.chats.first.get_by_role("button", name="Delete").click()
    window.page.wait_for_timeout(500)
    window.page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    window.page.wait_for_timeout(300)
    expect(window.chats).to_have_count(0)
    window.button("Undo").click()
    window.chats.first.click()
    expect(window.page.locator(".turn")).to_have_count(2)
    window.page.reload()
    expect(window.page.locator(".turn")).to_have_count(2)


@case
def click_that_ends_a_renaming_is_not_lost(window, server):
    window.open()
    for words in ["first", "second"]:
        window.button("New chat").click()
        window.ask(words)
    window.chats.first.hover()
    window.chats.first.get_by_role("button", name="Rename").click()
    window.page.get_by_label("Title").fill("renamed")
    window.page.get_by_role("link", name="first").click(delay=200)
    expect(window.page.locator("#title")).to_have_text("first")
    expect(window.chats.first).to_have_text("renamed")


@case
def focus_stays_in_the_list_of_chats(window, server):
    window.open()
    window.ask("sky")
    link = window.page.get_by_role("link", name="sky")
    link.focus()
    window.page.keyboard.press("Tab")
    window.page.keyboard.press("Enter")
    field = window.page.get_by_label("Title")
    field.fill("天")
    field.dispatch_event("keydown", {"key": "Enter", "isComposing": True, "bubbles": True})
    expect(field).to_be_focused()
    field.press("Enter")
    link = window.page.get_by_role("link", name="天")
    expect(link).to_be_focused()
    window.page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    window.page.wait_for_timeout(300)
    expect(link).to_be_focused()


@case
def chats_are_exported_and_imported(window, server):
    window.open()
    window.ask("think")
    window.button("Answer again").click()
    window.finish()
    with window.page.expect_download() as download:
        window.button("Export", ).first.click()
    file = Path(tempfile.mkdtemp()) / "chats.json"
    download.value.save_as(file)
    equal([len(each["messages"]) for each in json.loads(file.read_text())["conversations"]], [3])
    other = Window(window.context.browser, server.url).open()
    for expected in ["One chat was added.", "0 chats were added."]:
        other.page.set_input_files("#import-file", file)
        expect(other.page.locator("#notices")).to_contain_text(expected)
    other.chats.first.click()
    expect(other.answer.locator(".versions")).to_have_text("2 / 2")
    expect(other.answer.locator(".thinking summary")).to_contain_text("Thought for")
    equal(other.problems, [])
    other.context.close()


@case
def imported_files_are_rejected_or_harmless(window, server):
    window.open()
    message = {"id": "m", "parent": None, "created": 1, "role": "assistant", "text": "<b>x</b> [a](javascript:window.hacked=1)"}
    head = {"id": "h", "title": "<b>t</b>", "created": 1, "updated": 2, "model": "", "leaf": "m", "settings": {"temperature": "hot"}}
    loop = {**message, "id": "n", "parent": "n"}
    picture = {**message, "attachments": [{"name": "x", "image": "http://127.0.0.1:9/x.png"}], "role": "user"}
    bad = ["no json", "[]", '{"format":"leap-conversations"}', '{"format":"leap-conversations","conversations":[{"head":1}]}']
    wrong = [{"head": head, "messages": [{**message, "text": 5}]}, {"head": {**head, "title": {}}, "messages": []},
             {"head": head, "messages": [{**message, "toolCalls": [None]}]}, {"head": head, "messages": {}}]
    bad += [json.dumps({"format": "leap-conversations", "conversations": [each]}) for each in wrong]
    for content in bad:
        window.page.set_input_files("#import-file", {"name": "f.json", "mimeType": "", "buffer": content.encode()})
        expect(window.page.locator(".notice")).to_contain_text("f.json has no chats")
        window.button("Dismiss").click()
    good = [{"head": head, "messages": [message]}, {"head": {**head, "id": "i", "leaf": "n"}, "messages": [loop]},
            {"head": {**head, "id": "j"}, "messages": [picture]}]
    content = json.dumps({"format": "leap-conversations", "conversations": good})
    window.page.set_input_files("#import-file", {"name": "f.json", "mimeType": "", "buffer": content.encode()})
    expect(window.chats).to_have_count(3)
    for index in range(3):
        window.chats.nth(index).click()
        expect(window.page.locator(".turn")).to_have_count(1)
    equal(window.page.evaluate("window.hacked"), None)
    window.problems = [each for each in window.problems if "Content Security Policy" not in each]


@case
def files_are_dropped_and_pasted(window, server):
    window.open()
    for kind, name in [("drop", "dataTransfer"), ("paste", "clipboardData")]:
        window.page.evaluate("""([kind, name]) => {
            const data = new DataTransfer();
            data.items.add(new File([kind], `${kind}.txt`, { type: "text/plain" }));
            const options = { bubbles: true, cancelable: true, [name]: data };
            const event = kind === "drop" ? new DragEvent(kind, options) : new ClipboardEvent(kind, options);
            document.getElementById("prompt").dispatchEvent(event);
        }""", [kind, name])
        expect(window.page.locator("#chosen")).to_contain_text(f"{kind}.txt")
    window.button("Remove drop.txt").click()
    expect(window.page.locator("#chosen li")).to_have_count(1)


@case
def two_tabs_do_not_lose_each_others_chats(window, server):
    window.open()
    window.ask("sky")
    second = window.context.new_page()
    second.goto(server.url)
    second.fill("#prompt", "think")
    second.press("#prompt", "Enter")
    expect(second.locator(".answer .stats")).to_contain_text("41.3/s")
    window.page.bring_to_front()
    window.page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    expect(window.chats).to_have_count(2)


# Keyboard and accessibility


@case
def keyboard_shortcuts_work(window, server):
    window.open()
    window.ask("sky")
    window.page.keyboard.press("Control+Shift+O")
    expect(window.page.locator(".turn")).to_have_count(0)
    expect(window.page.locator("#prompt")).to_be_focused()
    window.page.keyboard.press("Control+k")
    expect(window.page.locator("#search")).to_be_focused()


@case
def every_button_can_be_reached_by_tab(window, server):
    window.open()
    window.ask("markdown")
    wanted = window.page.locator("button:visible:enabled, a:visible, #search, #prompt").count()
    reached = window.page.evaluate("() => { window.seen = new Set(); addEventListener('focusin', e => window.seen.add(e.target)) }")
    for _ in range(wanted + 20):
        window.page.keyboard.press("Tab")
    reached = window.page.evaluate("[...window.seen].filter(n => n.matches('button, a, #search, #prompt')).length")
    assert reached >= wanted, f"{reached} of {wanted}"


@case
def whole_sentences_are_announced(window, server):
    server.behaviour.pause = 0.02
    window.open()
    window.ask("sky", wait=False)
    expect(window.page.locator("#announcer p")).to_have_count(1)
    window.finish()
    equal(window.page.locator("#announcer p").all_inner_texts(),
          ["Light is scattered by the air, and blue light more than red.", "So the sky is blue wherever you look."])


@case
def ends_of_answers_are_announced(window, server):
    window.open()
    for question, end in [("cut", "The answer reached its maximum length."), ("busy", "All places are taken. Try again in 2 s."),
                          ("weather", "Calls get_time.")]:
        window.ask(question)
        expect(window.page.locator("#announcer p").last).to_have_text(end)


@case
def text_from_right_to_left_begins_at_the_right(window, server):
    window.open()
    window.ask("שלום")
    sides = window.page.evaluate("""(selectors) => selectors.map((selector) => {
        const node = document.querySelector(selector);
        const words = document.createRange();
        words.selectNodeContents(node);
        const [inner, outer] = [words.getBoundingClientRect(), node.getBoundingClientRect()];
        return outer.right - inner.right < inner.left - outer.left;
    })""", [".answer .markdown p"])
    equal(sides, [True])


@case
def axe_finds_no_violations(window, server):
    for scheme in ["light", "dark"]:
        window.page.emulate_media(color_scheme=scheme)
        window.open()
        scan(window, f"{scheme}: empty")
        for question in ["markdown", "think", "weather", "dies"]:
            window.ask(question)
        window.page.locator(".thinking:visible summary").first.click()
        window.page.mouse.move(0, 0)
        scan(window, f"{scheme}: chat")
        window.button("Edit message").first.click()
        scan(window, f"{scheme}: editing")
        window.button("Cancel").click()
        window.button("Chat settings").click()
        scan(window, f"{scheme}: settings")
        window.button("Cancel").click()
        window.button("New chat").first.click()


def scan(window, what):
    results = Axe().run(window.page)
    found = [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in results.response["violations"]]
    equal(found, [], what)


@case
def narrow_screen_has_no_horizontal_scrolling(window, server):
    phone = Window(window.context.browser, server.url, viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True).open()
    for question in ["markdown", "weather", "dies"]:
        phone.page.fill("#prompt", question)
        phone.button("Send").click()
        phone.finish()
    wide = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth + scroller.scrollWidth - scroller.clientWidth")
    equal(wide, 0, "pixels too wide")
    scan(phone, "phone")
    phone.button("Chats").click()
    expect(phone.page.locator("#sidebar")).to_be_visible()
    scan(phone, "drawer")
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator("#sidebar")).to_be_hidden()
    equal(phone.problems, [])
    phone.context.close()


@case
def scrolling_up_stops_following_the_answer(window, server):
    window.open()
    window.ask("long", wait=False)
    expect(window.answer.locator("h3").nth(12)).to_be_attached(timeout=60_000)
    assert window.page.evaluate("scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 200"), "the page does not follow the answer"
    window.page.mouse.move(700, 400)
    window.page.mouse.wheel(0, -800)
    window.page.wait_for_timeout(300)
    before = window.page.evaluate("scroller.scrollTop")
    window.page.wait_for_timeout(600)
    equal(window.page.evaluate("scroller.scrollTop"), before, "the page scrolled")
    window.button("Scroll to end").click()
    window.page.wait_for_timeout(200)
    assert window.page.evaluate("scroller.scrollTop") > before


def run(check, browser, options):
    server = None if options.server else MockServer()
    window = Window(browser, options.server.rstrip("/") + "/" if options.server else server.url)
    if options.key:
        window.context.add_init_script(f"sessionStorage.setItem('leap-key:' + location.pathname, {json.dumps(options.key)})")
    try:
        check(window, server)
        equal(window.problems, [], "errors of the page")
        return True
    except Exception:
        traceback.print_exc()
        if options.screenshots:
            window.page.screenshot(path=f"{options.screenshots}/{check.__name__}.png")
        return False
    finally:
        window.context.close()
        if server:
            server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--screenshots", help="a folder for screenshots of failed cases")
    parser.add_argument("--server", help="a running server, for the cases that any model passes")
    parser.add_argument("--key", help="its key")
    options = parser.parse_args()
    chosen = [each for each in CASES if (each.any_server or not options.server)
              and (not options.names or any(name in each.__name__ for name in options.names))]
    failed = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox", "--headless=new"])
        for check in chosen:
            begin = time.monotonic()
            passed = run(check, browser, options)
            print(f"{'ok  ' if passed else 'FAIL'}  {check.__name__.replace('_', ' ')} ({time.monotonic() - begin:.1f} s)", flush=True)
            if not passed:
                failed.append(check.__name__)
        browser.close()
    print(f"{len(chosen) - len(failed)} of {len(chosen)} passed")
    sys.exit(1 if failed or not chosen else 0)


if __name__ == "__main__":
    main()
