"""Checks a running `leap serve` with Pydantic AI's agents, over OpenAI's two APIs and Anthropic's.

    check_pydantic_ai.py URL MODEL      prints a line for each check; 1 if one failed
"""

import asyncio
import sys

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic import BaseModel, Field
from pydantic_ai import Agent, NativeOutput, ToolOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from checks import check, finish

url, model = sys.argv[1:3]
short = ModelSettings(max_tokens=24, temperature=0)
long = ModelSettings(max_tokens=400, temperature=0, parallel_tool_calls=False)


def of(api):
    """The model over one of its APIs. Every run has its own event loop, and therefore its own client."""
    if api == "anthropic":
        client = AsyncAnthropic(base_url=url, api_key="x", max_retries=0)
        return AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))
    client = AsyncOpenAI(base_url=url + "/v1", api_key="x", max_retries=0)
    provider = OpenAIProvider(openai_client=client)
    return (OpenAIChatModel if api == "chat" else OpenAIResponsesModel)(model, provider=provider)


apis = ("chat", "responses", "anthropic")


class Person(BaseModel):
    """A person."""

    name: str = Field(max_length=8)
    age: int = Field(ge=0, le=120)


@check
def answers_are_the_same_over_all_apis():
    said = {api: Agent(of(api), model_settings=short).run_sync("Say hello.").output for api in apis}
    assert said["chat"] and said["chat"] == said["responses"] == said["anthropic"], said


@check
def streams():
    async def stream():
        async with Agent(of("chat"), model_settings=short).run_stream("Say hello.") as run:
            return [piece async for piece in run.stream_text(delta=True, debounce_by=None)]

    pieces = asyncio.run(stream())
    assert "".join(pieces) == Agent(of("chat"), model_settings=short).run_sync("Say hello.").output


@check
def structured_output_by_tool():
    for api in apis:
        agent = Agent(of(api), output_type=ToolOutput(Person), model_settings=long, retries=0)
        assert isinstance(agent.run_sync("Bob is 3.").output, Person), api


@check
def structured_output_by_schema():
    agent = Agent(of("chat"), output_type=NativeOutput(Person), model_settings=long, retries=0)
    assert isinstance(agent.run_sync("Bob is 3.").output, Person)


finish()
