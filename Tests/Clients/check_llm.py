"""Checks a running `leap serve` with the `llm` command, as a shell uses it.

    check_llm.py URL MODEL      prints a line for each check; 1 if one failed
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checks import check, finish

url, model = sys.argv[1:3]
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "extra-openai-models.yaml").write_text(
    f"- model_id: here\n  model_name: {model}\n  api_base: {url}/v1\n  supports_schema: true\n  supports_tools: true\n"
    f"- model_id: nobody\n  model_name: nobody\n  api_base: {url}/v1\n"
)
program = pathlib.Path(sys.executable).parent / "llm"


def llm(*arguments, status=0):
    run = subprocess.run(
        [program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        env=os.environ | {"LLM_USER_PATH": str(folder), "OPENAI_API_KEY": "x"})
    assert run.returncode == status, run
    return run.stdout.strip() if status == 0 else run.stderr


@check
def models_are_listed():
    assert "here" in llm("models")


@check
def streams_match_whole_answers():
    options = ["-o", "temperature", "0", "-o", "max_tokens", "24"]
    streamed = llm("-m", "here", *options, "Say hello.")
    assert streamed and streamed == llm("-m", "here", "--no-stream", *options, "Say hello.")


@check
def conversations_continue():
    options = ["-o", "temperature", "0", "-o", "max_tokens", "24"]
    llm("-m", "here", *options, "My name is Ada.")
    assert llm("-c", *options, "Who am I?")
    logged = json.loads(llm("logs", "-n", "1", "--json"))[0]
    assert logged["prompt"] == "Who am I?" and logged["response"]


@check
def schemas_are_enforced():
    schema = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 99}}, "required": ["age"]}
    answer = llm("-m", "here", "-o", "max_tokens", "60", "--schema", json.dumps(schema), "Bob is 3.")
    assert 0 <= json.loads(answer)["age"] <= 99


@check
def errors_are_reported():
    assert "nobody" in llm("-m", "nobody", "Hi", status=1)


finish()
