"""Checks a running `leap serve` with OpenAI's own client: chats, streams, tools, schemas, completions, errors.

    check_openai.py URL MODEL      prints a line for each check; 1 if one failed
"""

import json
import sys
import time

import httpx
import openai
from pydantic import BaseModel

from checks import check, finish

url, model = sys.argv[1:3]
client = openai.OpenAI(base_url=url + "/v1", api_key="x", max_retries=0)
asked = [{"role": "user", "content": "Say hello."}]
greeting = [{"role": "user", "content": "Hello!"}]  # answered in several words

weather = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Tells the weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 12}, "unit": {"enum": ["C", "F"]}},
            "required": ["city", "unit"],
        },
    },
}
time_of_day = {
    "type": "function",
    "function": {"name": "get_time", "parameters": {"type": "object", "properties": {"zone": {"enum": ["UTC"]}}, "required": ["zone"]}},
}


def chat(**arguments):
    arguments.setdefault("messages", asked)
    arguments.setdefault("max_tokens", 24)
    return client.chat.completions.create(model=model, **arguments)


def refused(kind, **arguments):
    """The error that a chat ends in."""
    try:
        chat(**arguments)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} for {arguments}")


@check
def answers():
    answer = chat(temperature=0)
    assert answer.object == "chat.completion" and answer.choices[0].message.role == "assistant"
    assert answer.choices[0].finish_reason in ("stop", "length")
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


@check
def streams_match_whole_answers():
    whole = chat(temperature=1, seed=7).choices[0]
    chunks = list(chat(temperature=1, seed=7, stream=True, stream_options={"include_usage": True}))
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == whole.message.content, (text, whole.message.content)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens > 0
    assert all(c.usage is None for c in chunks[:-1])
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == whole.finish_reason


@check
def seeds_make_sampling_reproducible():
    first, again, other = (chat(temperature=2, seed=s).choices[0].message.content for s in (1, 1, 2))
    assert first == again
    assert first != other


@check
def several_choices():
    answer = chat(temperature=1, seed=5, n=3)
    assert [c.index for c in answer.choices] == [0, 1, 2]
    alone = chat(temperature=1, seed=6).choices[0].message.content
    assert answer.choices[1].message.content == alone
    texts = {0: "", 1: "", 2: ""}
    for chunk in chat(temperature=1, seed=5, n=3, stream=True):
        for choice in chunk.choices:
            texts[choice.index] += choice.delta.content or ""
    assert [texts[i] for i in range(3)] == [c.message.content for c in answer.choices]


@check
def logprobs():
    answer = chat(temperature=0, logprobs=True, top_logprobs=2)
    tokens = answer.choices[0].logprobs.content
    assert len(tokens) == answer.usage.completion_tokens and all(len(t.top_logprobs) == 2 for t in tokens)
    assert all(t.logprob <= 0 for t in tokens)
    assert bytes(b for t in tokens for b in t.bytes).decode() == answer.choices[0].message.content
    streamed = []
    for chunk in chat(temperature=0, logprobs=True, top_logprobs=2, stream=True):
        if chunk.choices and chunk.choices[0].logprobs:
            streamed += chunk.choices[0].logprobs.content
    assert [t.logprob for t in streamed] == [t.logprob for t in tokens]


@check
def stop_sequences():
    whole = chat(temperature=0, max_tokens=40).choices[0].message.content
    stop = whole[3:6]
    cut = chat(temperature=0, max_tokens=40, stop=[stop])
    assert cut.choices[0].message.content == whole[: whole.index(stop)]
    assert cut.choices[0].finish_reason == "stop"


@check
def schemas_are_parsed():
    class Person(BaseModel):
        name: str
        age: int

    answer = client.chat.completions.parse(
        model=model, messages=[{"role": "user", "content": "Bob is 3."}], response_format=Person, max_tokens=400, temperature=0
    )
    assert isinstance(answer.choices[0].message.parsed, Person)


@check
def json_objects():
    for seed in range(3):
        answer = chat(response_format={"type": "json_object"}, max_tokens=300, temperature=1, seed=seed).choices[0]
        if answer.finish_reason == "stop":
            assert isinstance(json.loads(answer.message.content), dict)


@check
def forced_calls():
    for choice in ({"type": "function", "function": {"name": "get_weather"}}, "required"):
        answer = chat(tools=[weather], tool_choice=choice, max_tokens=200, temperature=0).choices[0]
        call = answer.message.tool_calls[0]
        assert call.function.name == "get_weather" and answer.finish_reason == "tool_calls", answer
        assert set(json.loads(call.function.arguments)) == {"city", "unit"}
        assert answer.message.content is None


@check
def forced_calls_among_several():
    answer = chat(tools=[time_of_day, weather], tool_choice="required", max_tokens=200, temperature=0).choices[0]
    call = answer.message.tool_calls[0]
    assert call.function.name in ("get_weather", "get_time")
    json.loads(call.function.arguments)


@check
def streamed_calls():
    arguments, names, ids, reason = "", [], [], None
    for chunk in chat(tools=[weather], tool_choice="required", max_tokens=200, temperature=0, stream=True):
        choice = chunk.choices[0]
        for call in choice.delta.tool_calls or []:
            assert call.index == 0
            if call.function.name:
                names.append(call.function.name)
                ids.append(call.id)
            arguments += call.function.arguments or ""
        reason = choice.finish_reason or reason
    assert names == ["get_weather"] and len(ids) == 1 and reason == "tool_calls"
    assert set(json.loads(arguments)) == {"city", "unit"}


@check
def tool_round_trips():
    call = chat(tools=[weather], tool_choice="required", max_tokens=200, temperature=0).choices[0].message
    messages = asked + [call, {"role": "tool", "tool_call_id": call.tool_calls[0].id, "content": "22 C"}]
    assert chat(messages=messages, tools=[weather]).choices[0].message is not None


@check
def tool_choice_none_prevents_calls():
    answer = chat(tools=[weather], tool_choice="none", temperature=0)
    assert not answer.choices[0].message.tool_calls


@check
def prefilled_answers_are_continued():
    whole = chat(messages=greeting, temperature=0).choices[0].message.content
    first, space, rest = whole.partition(" ")
    answer = chat(messages=greeting + [{"role": "assistant", "content": first}], temperature=0)
    assert rest and answer.choices[0].message.content == space + rest, (whole, answer)


@check
def repeated_prompts_are_cached():
    long = [{"role": "user", "content": "word " * 300}]
    chat(messages=long, max_tokens=1)
    again = chat(messages=long, max_tokens=1)
    assert again.usage.prompt_tokens_details.cached_tokens > 0
    apart = chat(messages=long, max_tokens=1, extra_body={"cache_prompt": False})
    assert apart.usage.prompt_tokens_details.cached_tokens == 0


@check
def completions():
    answer = client.completions.create(model=model, prompt=["Once", "Twice"], max_tokens=5, n=2, temperature=0)
    assert [c.index for c in answer.choices] == [0, 1, 2, 3]
    echo = client.completions.create(model=model, prompt="Once upon", max_tokens=3, echo=True, logprobs=1, temperature=0)
    assert echo.choices[0].text.startswith("Once upon")
    text = "".join(
        c.choices[0].text for c in client.completions.create(model=model, prompt="Once", max_tokens=5, temperature=0, stream=True)
    )
    assert text == answer.choices[0].text


@check
def echoed_prompts_have_logprobs():
    echo = client.completions.create(model=model, prompt="Hello! How can I", max_tokens=1, echo=True, logprobs=2, temperature=0)
    scores = echo.choices[0].logprobs
    assert scores.token_logprobs[0] is None and all(s <= 0 for s in scores.token_logprobs[1:])
    assert len(scores.tokens) == len(scores.token_logprobs) == len(scores.top_logprobs) == len(scores.text_offset)
    assert "".join(scores.tokens) == echo.choices[0].text


@check
def models():
    assert model in [m.id for m in client.models.list()]
    assert client.models.retrieve(model).id == model


@check
def invalid_requests_are_rejected():
    assert refused(openai.NotFoundError, extra_body={"model": "nobody"}).code == "model_not_found"
    assert refused(openai.BadRequestError, temperature=3).param == "temperature"
    assert refused(openai.BadRequestError, messages=[]).param == "messages"
    assert refused(openai.BadRequestError, messages=[{"role": "king", "content": "x"}]).param == "messages[0].role"
    assert refused(openai.BadRequestError, n=99).param == "n"
    assert refused(openai.BadRequestError, max_tokens=0).param == "max_tokens"
    assert refused(openai.BadRequestError, top_logprobs=3).param == "top_logprobs"
    assert refused(openai.BadRequestError, stop=[""]).param == "stop"
    assert refused(openai.BadRequestError, tool_choice="perhaps", tools=[weather]).param == "tool_choice"
    assert refused(openai.BadRequestError, tools=[weather, weather]).param == "tools[1]"
    assert refused(openai.BadRequestError, logit_bias={"99999999": 1}).param == "logit_bias"
    image = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://x/y.png"}}]}]
    assert "messages[0].content[0]" in refused(openai.BadRequestError, messages=image).param
    schema = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "string", "pattern": "("}}}
    refused(openai.BadRequestError, response_format=schema)
    far = refused(openai.BadRequestError, messages=[{"role": "user", "content": "word " * 200000}])
    assert far.code == "context_length_exceeded"


@check
def streams_can_be_closed_early():
    def cancelled(server):
        lines = server.get("/metrics").text.splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("leap:cancellations_total "))

    def close_early(server):
        stream = chat(stream=True, max_tokens=900, temperature=2, extra_body={"ignore_eos": True})
        next(iter(stream))
        stream.close()
        for _ in range(500):
            if not any(slot["is_processing"] for slot in server.get("/slots").json()):
                return
            time.sleep(0.02)
        raise AssertionError("the answer continues after the client has closed its stream")

    with httpx.Client(base_url=url) as server:
        before = cancelled(server)
        # An answer may end before the client has closed its stream.
        for _ in range(5):
            close_early(server)
            if cancelled(server) > before:
                break
        assert cancelled(server) == before + 1
    assert chat(temperature=0).choices[0].message.content


finish()
