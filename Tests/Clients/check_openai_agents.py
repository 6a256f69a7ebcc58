"""Checks a running `leap serve` with OpenAI's Agents SDK, over chat completions and over responses.

    check_openai_agents.py URL MODEL      prints a line for each check; 1 if one failed
"""

import asyncio
import os
import sys

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
)
from openai import AsyncOpenAI
from pydantic import BaseModel, Field

from checks import check, finish

url, model = sys.argv[1:3]


def models():
    """The model over both APIs. Every run has its own event loop, and therefore its own client."""
    for kind in (OpenAIChatCompletionsModel, OpenAIResponsesModel):
        yield kind(model=model, openai_client=AsyncOpenAI(base_url=url + "/v1", api_key="x", max_retries=0))


short = ModelSettings(max_tokens=24, temperature=0)


class Person(BaseModel):
    """A person."""

    name: str = Field(max_length=8)
    age: int = Field(ge=0, le=120)


@check
def answers_are_the_same_over_both_apis():
    said = [Runner.run_sync(Agent(name="a", model=one, model_settings=short), "Say hello.").final_output for one in models()]
    assert said[0] and said[0] == said[1], said


@check
def streams():
    async def stream(one):
        run = Runner.run_streamed(Agent(name="a", model=one, model_settings=short), "Say hello.")
        kinds = [event.type async for event in run.stream_events()]
        return kinds, run.final_output

    for one in models():
        kinds, output = asyncio.run(stream(one))
        assert "raw_response_event" in kinds and output


@check
def tools_are_called_and_their_results_accepted():
    for one in models():
        asked = []

        @function_tool
        def get_weather(city: str) -> str:
            """Tells the weather."""
            asked.append(city)
            return "22 C"

        settings = ModelSettings(max_tokens=200, temperature=0, tool_choice="required", parallel_tool_calls=False)
        # A tool that was called is not required again, so that the run ends.
        agent = Agent(name="a", model=one, tools=[get_weather], model_settings=settings, reset_tool_choice=True)
        run = Runner.run_sync(agent, "How is the weather in Rome?", max_turns=8)
        assert asked and all(isinstance(city, str) for city in asked)
        assert run.final_output is not None


@check
def typed_output():
    settings = ModelSettings(max_tokens=400, temperature=0)
    for one in models():
        run = Runner.run_sync(Agent(name="a", model=one, output_type=Person, model_settings=settings), "Bob is 3.")
        assert isinstance(run.final_output, Person)


finish()
