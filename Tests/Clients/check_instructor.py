"""Checks a running `leap serve` with instructor, which turns answers into Python objects.

    check_instructor.py URL MODEL      prints a line for each check; 1 if one failed
"""

import sys
from typing import Literal

import instructor
import openai
from pydantic import BaseModel, Field, field_validator

from checks import check, finish

url, model = sys.argv[1:3]


class Person(BaseModel):
    """A person."""

    name: str = Field(max_length=8)
    age: int = Field(ge=0, le=120)
    kind: Literal["child", "adult"]


def create(mode, kind, retries=0, **arguments):
    client = instructor.from_openai(openai.OpenAI(base_url=url + "/v1", api_key="x", max_retries=0), mode=mode)
    return client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": "Bob is 3."}], response_model=kind, max_retries=retries,
        max_tokens=400, temperature=0, **arguments)


@check
def every_mode_returns_objects():
    for mode in (instructor.Mode.JSON_SCHEMA, instructor.Mode.TOOLS, instructor.Mode.TOOLS_STRICT):
        assert isinstance(create(mode, Person), Person), mode


@check
def partial_objects_are_streamed():
    client = instructor.from_openai(
        openai.OpenAI(base_url=url + "/v1", api_key="x", max_retries=0), mode=instructor.Mode.JSON_SCHEMA)
    seen = list(
        client.chat.completions.create_partial(
            model=model, messages=[{"role": "user", "content": "Bob is 3."}], response_model=Person, max_retries=0,
            max_tokens=400, temperature=0))
    assert seen and seen[-1].age is not None and seen[-1].kind in ("child", "adult")


@check
def answers_that_fail_validation_are_retried():
    attempts = []

    class Picky(BaseModel):
        """A number."""

        number: int = Field(ge=0, le=9)

        @field_validator("number")
        @classmethod
        def second_time_lucky(cls, value):
            attempts.append(value)
            if len(attempts) == 1:
                raise ValueError("say it again")
            return value

    assert isinstance(create(instructor.Mode.TOOLS, Picky, retries=2), Picky)
    assert len(attempts) == 2


finish()
