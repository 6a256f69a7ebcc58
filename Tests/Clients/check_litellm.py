"""Checks a running `leap serve` with litellm, through the APIs of OpenAI, ollama and Anthropic.

    check_litellm.py URL MODEL      prints a line for each check; 1 if one failed
"""

import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm

from checks import check, finish

url, model = sys.argv[1:3]
litellm.suppress_debug_info = True
asked = [{"role": "user", "content": "Say hello."}]
tool = {
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


def complete(dialect="openai", **arguments):
    base = url + "/v1" if dialect == "openai" else url
    arguments.setdefault("messages", asked)
    arguments.setdefault("max_tokens", 24)
    return litellm.completion(model=f"{dialect}/{model}", api_base=base, api_key="x", num_retries=0, **arguments)


def one_call(answer):
    choice = answer.choices[0]
    call = choice.message.tool_calls[0]
    assert call.function.name == "get_weather" and choice.finish_reason == "tool_calls", answer
    assert set(json.loads(call.function.arguments)) == {"city", "unit"}


@check
def answers_through_three_apis():
    said = {}
    for dialect in ("openai", "ollama_chat", "anthropic"):
        answer = complete(dialect, temperature=0)
        said[dialect] = answer.choices[0].message.content
        assert said[dialect] and answer.usage.completion_tokens > 0, (dialect, answer)
    assert said["openai"] == said["anthropic"], said


@check
def streams_match_whole_answers():
    whole = complete(temperature=0).choices[0].message.content
    pieces = [chunk.choices[0].delta.content or "" for chunk in complete(temperature=0, stream=True)]
    assert "".join(pieces) == whole and len(pieces) > 2


@check
def forced_calls():
    one_call(complete(tools=[tool], tool_choice="required", parallel_tool_calls=False, max_tokens=200, temperature=0))


@check
def streamed_forced_calls():
    chunks = list(
        complete(tools=[tool], tool_choice="required", parallel_tool_calls=False, max_tokens=200, temperature=0, stream=True)
    )
    one_call(litellm.stream_chunk_builder(chunks, messages=asked))


@check
def forced_calls_through_anthropic():
    named = {"type": "function", "function": {"name": "get_weather"}}
    one_call(complete("anthropic", tools=[tool], tool_choice=named, parallel_tool_calls=False, max_tokens=200, temperature=0))


@check
def schemas_are_enforced():
    schema = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 99}}, "required": ["age"]}
    form = {"type": "json_schema", "json_schema": {"name": "age", "schema": schema}}
    assert 0 <= json.loads(complete(response_format=form, max_tokens=60).choices[0].message.content)["age"] <= 99


@check
def errors_raise_the_matching_exceptions():
    for expected, arguments in (
        (litellm.BadRequestError, {"temperature": 3}),
        (litellm.NotFoundError, {"model_suffix": "x"}),
    ):
        try:
            if "model_suffix" in arguments:
                litellm.completion(model="openai/nobody", api_base=url + "/v1", api_key="x", num_retries=0, messages=asked)
            else:
                complete(**arguments)
        except expected:
            continue
        raise AssertionError(f"no {expected.__name__}")


@check
def overlong_prompts_are_rejected():
    try:
        complete(messages=[{"role": "user", "content": "sea " * 5000}])
    except litellm.BadRequestError as error:
        assert "the context holds" in str(error)
        return
    raise AssertionError("no BadRequestError")


finish()
