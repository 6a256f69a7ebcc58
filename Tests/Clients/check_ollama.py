"""Checks a running `leap serve` with ollama's own client: chats, prompts, streams, tools, schemas, models, errors.

    check_ollama.py URL MODEL      prints a line for each check; 1 if one failed
"""

import json
import sys
import time

import httpx
import ollama

from checks import check, finish

url, model = sys.argv[1:3]
client = ollama.Client(host=url)
asked = [{"role": "user", "content": "Say hello."}]
options = {"temperature": 0, "num_predict": 24}
schema = {
    "type": "object",
    "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["age"],
}


def chat(**arguments):
    return client.chat(model=model, messages=arguments.pop("messages", asked), options=arguments.pop("options", options), **arguments)


def refused(status, request):
    """The error that a request ends in."""
    try:
        request()
    except ollama.ResponseError as error:
        assert error.status_code == status, error
        assert error.error
        return error
    raise AssertionError(f"no error {status}")


@check
def chats():
    answer = chat()
    assert answer.model == model and answer.message.role == "assistant" and answer.message.content
    assert answer.done and answer.done_reason in ("stop", "length")
    assert answer.eval_count > 0 and answer.prompt_eval_count > 0
    assert answer.total_duration >= answer.prompt_eval_duration + answer.eval_duration > 0


@check
def streams_match_whole_answers():
    whole = chat()
    parts = list(chat(stream=True))
    assert "".join(part.message.content for part in parts) == whole.message.content
    assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]
    assert parts[-1].done_reason == whole.done_reason and parts[-1].eval_count == whole.eval_count


@check
def streams_are_the_default():
    reply = httpx.post(url + "/api/chat", json={"model": model, "messages": asked, "options": options}, timeout=60)
    assert reply.headers["content-type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in reply.text.splitlines()]
    assert len(lines) > 1 and lines[-1]["done"] is True


@check
def prompts_are_answered():
    answer = client.generate(model=model, prompt="Say hello.", options=options)
    parts = list(client.generate(model=model, prompt="Say hello.", options=options, stream=True))
    assert answer.response and "".join(part.response for part in parts) == answer.response
    assert client.generate(model=model, prompt="Say hello.", system="Be brief.", options=options).response
    raw = client.generate(model=model, prompt="Once upon a time", raw=True, options=options)
    assert raw.response and raw.prompt_eval_count < answer.prompt_eval_count


@check
def options_are_applied():
    short = chat(options={"temperature": 0, "num_predict": 2})
    assert short.eval_count == 2 and short.done_reason == "length"
    hot = {"temperature": 2, "num_predict": 24}
    first, again, other = (chat(options=hot | {"seed": seed}).message.content for seed in (1, 1, 2))
    assert first == again and first != other
    whole = chat().message.content
    middle = len(whole) // 2
    stop = whole[middle : middle + 2]
    assert chat(options=options | {"stop": [stop]}).message.content == whole[: whole.index(stop)]


@check
def formats_are_enforced():
    enough = {"temperature": 0, "num_predict": 400}
    assert 0 <= json.loads(chat(format=schema, options=enough).message.content)["age"] <= 99
    free = chat(format="json", options=enough)
    assert free.message.content.lstrip().startswith("{")
    assert free.done_reason == "length" or isinstance(json.loads(free.message.content), dict)
    streamed = chat(format=schema, stream=True, options=enough)
    assert "age" in json.loads("".join(part.message.content for part in streamed))


@check
def tools_are_accepted():
    def get_weather(city: str) -> str:
        """Tells the weather.

        Args:
          city: The city
        """
        return "sun in " + city

    assert chat(tools=[get_weather]).message
    call = {"function": {"name": "get_weather", "arguments": {"city": "Rome"}}}
    turns = asked + [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_name": "get_weather", "content": "sun in Rome"},
    ]
    assert chat(messages=turns, tools=[get_weather]).message.content is not None


@check
def thinking_can_be_turned_on_and_off():
    thinks = {"think": True, "options": options | {"num_predict": 200}}
    thought = chat(**thinks).message
    assert thought.thinking and thought.content and "think>" not in thought.thinking + thought.content
    parts = list(chat(**thinks, stream=True))
    assert "".join(part.message.thinking or "" for part in parts) == thought.thinking
    assert "".join(part.message.content or "" for part in parts) == thought.content
    plain = chat(think=False).message
    assert plain.content and not plain.thinking


@check
def logprobs_are_returned():
    answer = chat(logprobs=True, top_logprobs=2)
    assert answer.logprobs and all(len(token.top_logprobs) == 2 and token.logprob <= 0 for token in answer.logprobs)


@check
def models_are_listed():
    listed = client.list().models
    mine = next(entry for entry in listed if entry.model in (model, model + ":latest"))
    assert mine.size > 0 and mine.details.format == "gguf" and mine.details.family and mine.details.parameter_size
    assert client.chat(model=mine.model, messages=asked, options=options).model == mine.model


@check
def models_are_shown():
    shown = client.show(model)
    assert "completion" in shown.capabilities and shown.modelinfo["general.architecture"] == shown.details.family
    assert shown.modelinfo["general.parameter_count"] > 0


@check
def models_are_loaded_and_unloaded():
    assert client.generate(model=model, prompt="", keep_alive="5m").done_reason == "load"
    process = client.ps().models[0]
    assert 200 < (process.expires_at.timestamp() - time.time()) <= 301
    assert client.generate(model=model, prompt="", keep_alive=0).done_reason == "unload"
    assert client.ps().models == []
    assert client.chat(model=model, messages=[], keep_alive=-1).done_reason == "load"
    assert len(client.ps().models) == 1


@check
def errors_have_a_status_and_a_message():
    refused(404, lambda: client.chat(model="no-such-model", messages=asked))
    refused(400, lambda: chat(options={"temperature": -1}))
    refused(400, lambda: client.generate(model=model, prompt="a", suffix="b"))
    refused(400, lambda: chat(keep_alive="soon"))
    refused(400, lambda: chat(messages=[{"role": "user", "content": "a", "images": [b"x"]}]))
    refused(501, lambda: client.embed(model=model, input="a"))
    refused(501, lambda: client.pull(model))


finish()
