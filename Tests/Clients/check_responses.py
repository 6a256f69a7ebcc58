"""Checks a running `leap serve` with OpenAI's own client: responses, their streams, tools, schemas, errors.

    check_responses.py URL MODEL      prints a line for each check; 1 if one failed
"""

import json
import sys

import openai
from pydantic import BaseModel, Field

from checks import check, finish

url, model = sys.argv[1:3]
client = openai.OpenAI(base_url=url + "/v1", api_key="x", max_retries=0)
weather = {
    "type": "function",
    "name": "get_weather",
    "description": "Tells the weather",
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string", "maxLength": 12}, "unit": {"enum": ["C", "F"]}},
        "required": ["city", "unit"],
        "additionalProperties": False,
    },
}
patch = {"type": "custom", "name": "note", "description": "Takes a note"}


def respond(**arguments):
    arguments.setdefault("input", "Say hello.")
    arguments.setdefault("max_output_tokens", 24)
    arguments.setdefault("temperature", 0)
    return client.responses.create(model=model, **arguments)


def streamed(**arguments):
    """The events of a stream, read by the client's helper, and the last event."""
    arguments.setdefault("input", "Say hello.")
    arguments.setdefault("max_output_tokens", 24)
    arguments.setdefault("temperature", 0)
    with client.responses.stream(model=model, **arguments) as stream:
        events = list(stream)
    return events, events[-1]


def refused(kind, **arguments):
    """The error that a request ends in."""
    try:
        respond(**arguments)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} for {arguments}")


@check
def answers():
    answer = respond()
    assert answer.object == "response" and answer.id.startswith("resp_") and answer.model == model
    assert answer.output_text and answer.output[0].type == "message"
    assert (answer.status, answer.incomplete_details is None) in (("completed", True), ("incomplete", False))
    assert answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens


@check
def streams_match_whole_answers():
    whole = respond()
    events, last = streamed()
    assert last.response.output_text == whole.output_text
    assert last.type == "response." + whole.status, last.type
    assert "".join(e.delta for e in events if e.type == "response.output_text.delta") == whole.output_text


@check
def events_have_sequence_numbers_and_indices():
    events = list(respond(stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    kinds = [event.type for event in events if event.type != "response.output_text.delta"]
    assert kinds[:4] == ["response.created", "response.in_progress", "response.output_item.added", "response.content_part.added"]
    assert kinds[4:7] == ["response.output_text.done", "response.content_part.done", "response.output_item.done"]
    for event in events:
        if event.type == "response.output_text.delta":
            assert event.item_id.startswith("msg_") and (event.output_index, event.content_index, event.logprobs) == (0, 0, [])


@check
def truncated_answers_are_marked_incomplete():
    answer = respond(max_output_tokens=1)
    assert answer.status == "incomplete" and answer.incomplete_details.reason == "max_output_tokens"
    assert answer.output[-1].status == "incomplete"


@check
def schemas_are_parsed():
    class Person(BaseModel):
        name: str = Field(max_length=8)
        age: int = Field(ge=0, le=99)

    answer = client.responses.parse(model=model, input="Alice is 30.", text_format=Person, temperature=0)
    assert isinstance(answer.output_parsed, Person)
    with client.responses.stream(model=model, input="Alice is 30.", text_format=Person, temperature=0) as stream:
        assert stream.get_final_response().output_parsed == answer.output_parsed


@check
def forced_calls_fit_their_schema():
    answer = respond(tools=[weather], tool_choice="required", max_output_tokens=400)
    call = answer.output[-1]
    assert call.type == "function_call" and call.name == "get_weather" and call.call_id
    assert set(json.loads(call.arguments)) == {"city", "unit"}


@check
def forced_calls_can_be_streamed():
    whole = respond(tools=[weather], tool_choice={"type": "function", "name": "get_weather"}, max_output_tokens=400)
    events, last = streamed(tools=[weather], tool_choice={"type": "function", "name": "get_weather"}, max_output_tokens=400)
    parts = "".join(e.delta for e in events if e.type == "response.function_call_arguments.delta")
    assert parts == whole.output[-1].arguments == last.response.output[-1].arguments


@check
def tool_results_are_accepted():
    call = respond(tools=[weather], tool_choice="required", max_output_tokens=400).output[-1]
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "12 degrees"}
    turns = [{"role": "user", "content": "Rome?"}, call.model_dump(exclude_none=True), result]
    assert respond(input=turns, tools=[weather]).output


@check
def custom_tools_take_a_text():
    answer = respond(tools=[patch], tool_choice={"type": "custom", "name": "note"}, max_output_tokens=400)
    call = answer.output[-1]
    assert call.type == "custom_tool_call" and call.name == "note" and isinstance(call.input, str)
    result = {"type": "custom_tool_call_output", "call_id": call.call_id, "output": "noted"}
    turns = [{"role": "user", "content": "Note it."}, call.model_dump(exclude_none=True), result]
    assert respond(input=turns, tools=[patch]).output


@check
def all_input_items_of_a_turn_are_accepted():
    turns = [
        {"role": "developer", "content": "Be brief."},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "A greeting."}]},
        {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [{"type": "output_text", "text": "Hi!", "annotations": []}]},
        {"role": "user", "content": "And now?"},
    ]
    assert respond(input=turns, instructions="Answer in English.").output_text


@check
def server_side_tools_are_ignored():
    assert respond(tools=[{"type": "web_search"}, weather]).usage.input_tokens == respond(tools=[weather]).usage.input_tokens


@check
def logprobs_are_returned():
    answer = respond(include=["message.output_text.logprobs"], top_logprobs=2)
    tokens = answer.output[0].content[0].logprobs
    assert tokens and all(len(token.top_logprobs) == 2 and token.logprob <= 0 for token in tokens)


@check
def request_fields_are_returned():
    answer = respond(instructions="Be brief.", metadata={"a": "b"}, top_p=0.5)
    assert (answer.instructions, answer.metadata, answer.top_p) == ("Be brief.", {"a": "b"}, 0.5)


@check
def responses_are_not_stored():
    answer = respond(store=True, max_output_tokens=1)
    try:
        client.responses.retrieve(answer.id)
        raise AssertionError("no NotFoundError")
    except openai.NotFoundError:
        pass


@check
def errors_raise_the_matching_exceptions():
    cases = {
        "previous_response_id": "resp_1",
        "conversation": "conv_1",
        "background": True,
        "truncation": "auto",
        "input": [],
        "temperature": 3,
        "max_output_tokens": 0,
        "reasoning": {"effort": "much"},
    }
    for name, value in cases.items():
        assert refused(openai.BadRequestError, **{name: value}).param.startswith(name)
    image = {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,"}]}
    assert refused(openai.BadRequestError, input=[image]).param == "input[0].content[0].image_url"
    assert refused(openai.BadRequestError, input=[{"type": "item_reference", "id": "x"}]).param == "input[0].type"


finish()
