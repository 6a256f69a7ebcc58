"""Checks a running `leap serve` with LangChain's chat model for OpenAI's API.

    check_langchain.py URL MODEL      prints a line for each check; 1 if one failed
"""

import sys

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field

from checks import check, finish

url, model = sys.argv[1:3]


class Person(BaseModel):
    """A person."""

    name: str = Field(max_length=8)
    age: int = Field(ge=0, le=120)


class GetWeather(BaseModel):
    """Tells the weather."""

    city: str = Field(max_length=12)


def chat(**arguments):
    arguments.setdefault("max_tokens", 24)
    return ChatOpenAI(model=model, base_url=url + "/v1", api_key="x", temperature=0, max_retries=0, **arguments)


@check
def answers():
    answer = chat().invoke("Say hello.")
    assert answer.content and answer.usage_metadata["output_tokens"] > 0
    assert answer.response_metadata["finish_reason"] in ("stop", "length")


@check
def streams_match_whole_answers():
    pieces = list(chat(stream_usage=True).stream("Say hello."))
    assert "".join(piece.content for piece in pieces) == chat().invoke("Say hello.").content
    assert sum(piece.usage_metadata["output_tokens"] for piece in pieces if piece.usage_metadata) > 0


@check
def batches():
    answers = chat().batch(["Say hello.", "Say hello.", "Count."])
    assert len(answers) == 3 and answers[0].content == answers[1].content


@check
def responses_api_matches_chat_completions():
    answer = chat(use_responses_api=True).invoke("Say hello.")
    assert answer.text == chat().invoke("Say hello.").content
    pieces = list(chat(use_responses_api=True).stream("Say hello."))
    assert "".join(piece.text for piece in pieces) == answer.text


@check
def structured_output():
    for method in ("json_schema", "function_calling"):
        person = chat(max_tokens=400).with_structured_output(Person, method=method).invoke("Bob is 3.")
        assert isinstance(person, Person), (method, person)


@check
def required_tool_calls():
    bound = chat(max_tokens=300).bind_tools([GetWeather], tool_choice="any", parallel_tool_calls=False)
    answer = bound.invoke("How is the weather in Rome?")
    assert [call["name"] for call in answer.tool_calls] == ["GetWeather"]
    GetWeather(**answer.tool_calls[0]["args"])
    history = [
        HumanMessage("How is the weather in Rome?"), answer,
        ToolMessage("22 C", tool_call_id=answer.tool_calls[0]["id"]),
    ]
    assert isinstance(chat().bind_tools([GetWeather]).invoke(history), AIMessage)


@check
def streamed_tool_calls():
    bound = chat(max_tokens=300).bind_tools([GetWeather], tool_choice="GetWeather", parallel_tool_calls=False)
    whole = None
    for piece in bound.stream("How is the weather in Rome?"):
        whole = piece if whole is None else whole + piece
    assert [call["name"] for call in whole.tool_calls] == ["GetWeather"] and not whole.invalid_tool_calls


finish()
