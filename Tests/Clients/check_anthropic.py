"""Checks a running `leap serve` with Anthropic's own client: messages, streams, tools, thinking, token counts, errors.

    check_anthropic.py URL MODEL      prints a line for each check; 1 if one failed
"""

import json
import sys

import anthropic

from checks import check, finish

url, model = sys.argv[1:3]
client = anthropic.Anthropic(base_url=url, api_key="x", max_retries=0)
asked = [{"role": "user", "content": "Say hello."}]
greeting = [{"role": "user", "content": "Hello!"}]  # answered in several words
weather = {
    "name": "get_weather",
    "description": "Tells the weather",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string", "maxLength": 12}, "unit": {"enum": ["C", "F"]}},
        "required": ["city", "unit"],
    },
}
forced = {"type": "tool", "name": "get_weather"}
greedy = {"temperature": 0}


def message(**arguments):
    arguments.setdefault("messages", asked)
    arguments.setdefault("max_tokens", 24)
    arguments.setdefault("extra_body", greedy)
    return client.messages.create(model=model, **arguments)


def streamed(**arguments):
    """The events of a stream, and the message that the client makes of them."""
    arguments.setdefault("messages", asked)
    arguments.setdefault("max_tokens", 24)
    arguments.setdefault("extra_body", greedy)
    with client.messages.stream(model=model, **arguments) as stream:
        events = list(stream)
        return events, stream.get_final_message()


def refused(kind, **arguments):
    """The error that a request ends in."""
    try:
        message(**arguments)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} for {arguments}")


def text(answer):
    return "".join(block.text for block in answer.content if block.type == "text")


@check
def answers():
    answer = message()
    assert answer.type == "message" and answer.role == "assistant" and answer.model == model
    assert answer.id.startswith("msg_") and text(answer)
    assert answer.stop_reason in ("end_turn", "max_tokens")
    assert answer.usage.output_tokens > 0
    assert answer.usage.input_tokens + answer.usage.cache_read_input_tokens > 0


@check
def streams_match_whole_answers():
    whole = message()
    events, answer = streamed()
    assert text(answer) == text(whole), (text(answer), text(whole))
    assert answer.stop_reason == whole.stop_reason
    assert answer.usage.output_tokens == whole.usage.output_tokens
    kinds = [event.type for event in events]
    assert kinds[0] == "message_start" and kinds[-1] == "message_stop" and kinds[-2] == "message_delta"


@check
def system_prompts_are_part_of_the_input():
    count = lambda system: client.messages.count_tokens(model=model, messages=asked, system=system).input_tokens
    assert count([{"type": "text", "text": "Be brief."}]) == count("Be brief.")
    assert count("Be brief. Always answer in French.") > count("Be brief.")


@check
def billing_headers_are_not_part_of_the_input():
    rest = {"type": "text", "text": "Be brief."}
    first = {"type": "text", "text": "x-anthropic-billing-header: cc_version=2; cch=a1b2c;"}
    count = lambda system: client.messages.count_tokens(model=model, messages=asked, system=system).input_tokens
    assert count([first, rest]) == count([rest])


@check
def counted_tokens_match_the_usage():
    count = client.messages.count_tokens(model=model, messages=asked, tools=[weather]).input_tokens
    usage = message(tools=[weather], max_tokens=1).usage
    assert count == usage.input_tokens + usage.cache_read_input_tokens, (count, usage)


@check
def repeated_prompts_are_read_from_the_cache():
    long = [{"role": "user", "content": "Once upon a time there was a king. " * 60}]
    first = message(messages=long, max_tokens=4).usage
    second = message(messages=long, max_tokens=4).usage
    assert second.cache_read_input_tokens > 0 and second.input_tokens < first.input_tokens + first.cache_read_input_tokens


@check
def stop_sequences_end_answers():
    whole = text(message())
    middle = len(whole) // 2
    stop = whole[middle : middle + 2]
    answer = message(stop_sequences=[stop])
    assert answer.stop_reason == "stop_sequence" and answer.stop_sequence == stop
    assert text(answer) == whole[: whole.index(stop)]


@check
def prefilled_answers_are_continued():
    whole = text(message(messages=greeting))
    first, space, rest = whole.partition(" ")
    answer = text(message(messages=greeting + [{"role": "assistant", "content": first}]))
    assert rest and answer == space + rest, (whole, answer)


@check
def forced_calls_fit_their_schema():
    answer = message(tools=[weather], tool_choice=forced, max_tokens=400)
    call = next(block for block in answer.content if block.type == "tool_use")
    assert answer.stop_reason == "tool_use" and call.name == "get_weather" and call.id.startswith("toolu_")
    assert set(call.input) == {"city", "unit"} and call.input["unit"] in ("C", "F")


@check
def forced_calls_can_be_streamed():
    whole = message(tools=[weather], tool_choice={"type": "any"}, max_tokens=400)
    events, answer = streamed(tools=[weather], tool_choice={"type": "any"}, max_tokens=400)
    assert [b.input for b in answer.content] == [b.input for b in whole.content]
    parts = "".join(event.partial_json for event in events if event.type == "input_json")
    assert json.loads(parts) == answer.content[-1].input


@check
def tool_results_are_accepted():
    call = message(tools=[weather], tool_choice=forced, max_tokens=400)
    result = {"type": "tool_result", "tool_use_id": call.content[-1].id, "content": [{"type": "text", "text": "12 degrees"}]}
    turns = asked + [{"role": "assistant", "content": call.content}, {"role": "user", "content": [result]}]
    assert message(messages=turns, tools=[weather]).stop_reason


@check
def server_side_tools_are_ignored():
    search = {"type": "web_search_20250305", "name": "web_search", "max_uses": 1}
    count = lambda tools: client.messages.count_tokens(model=model, messages=asked, tools=tools).input_tokens
    assert count([search, weather]) == count([weather])


@check
def thinking_has_its_own_blocks():
    thinks = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 200}
    events, answer = streamed(**thinks)
    thought, said = answer.content
    assert thought.type == "thinking" and thought.thinking and thought.signature
    assert said.type == "text" and said.text and thought.thinking not in said.text
    assert "".join(event.thinking for event in events if event.type == "thinking") == thought.thinking
    whole = message(**thinks)
    assert [block.type for block in whole.content] == ["thinking", "text"]
    assert whole.content[0].thinking == thought.thinking and text(whole) == said.text
    assert [block.type for block in message(thinking={"type": "disabled"}).content] == ["text"]


@check
def output_schemas_are_enforced():
    schema = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 99}}, "required": ["age"], "additionalProperties": False}
    answer = message(output_config={"format": {"type": "json_schema", "schema": schema}}, max_tokens=400)
    assert 0 <= json.loads(text(answer))["age"] <= 99


@check
def betas_are_accepted():
    answer = client.beta.messages.create(model=model, max_tokens=4, messages=asked, betas=["tools-2024-04-04"])
    assert answer.type == "message"


@check
def errors_raise_the_matching_exceptions():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
    error = refused(anthropic.BadRequestError, messages=[{"role": "user", "content": [image]}])
    assert error.body["type"] == "error" and error.body["error"]["type"] == "invalid_request_error"
    assert "messages[0].content[0]" in error.body["error"]["message"] and error.body["request_id"]
    refused(anthropic.BadRequestError, messages=[])
    refused(anthropic.BadRequestError, max_tokens=0)
    refused(anthropic.BadRequestError, extra_body={"temperature": 1.5})
    refused(anthropic.BadRequestError, tools=[weather], tool_choice={"type": "tool", "name": "other"})
    try:
        client.messages.create(model="no-such-model", max_tokens=1, messages=asked)
        raise AssertionError("no NotFoundError")
    except anthropic.NotFoundError as error:
        assert error.body["error"]["type"] == "not_found_error"


finish()
