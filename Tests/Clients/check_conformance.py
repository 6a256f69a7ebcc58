"""Checks the HTTP responses of a running `leap serve`: statuses, errors, fields, events, and raw sockets.

    check_conformance.py URL MODEL      prints a line for each check; 1 if one failed
"""

import base64
import concurrent.futures
import http.client
import json
import re
import socket
import sys
import time
from urllib.parse import urlparse

from checks import check, finish

url, model = sys.argv[1:3]
place = urlparse(url)
asked = [{"role": "user", "content": "Say hello."}]
greeting = [{"role": "user", "content": "Hello!"}]  # answered in several words
chats, texts = "/v1/chat/completions", "/v1/completions"
weather = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 12}, "unit": {"enum": ["C", "F"]}},
            "required": ["city", "unit"],
            "additionalProperties": False,
        },
    },
}
clock = {
    "type": "function",
    "function": {"name": "get_time", "parameters": {"type": "object", "properties": {"zone": {"enum": ["UTC"]}}, "required": ["zone"]}},
}


def send(method, path, body=None, headers=None):
    """Status, headers and bytes of a reply."""
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    if body is not None and not isinstance(body, (bytes, str)):
        body = json.dumps(body)
    if isinstance(body, str):
        body = body.encode()
    connection.request(method, path, body, {"Content-Type": "application/json"} | (headers or {}))
    reply = connection.getresponse()
    content = reply.read()
    connection.close()
    return reply.status, {name.lower(): value for name, value in reply.getheaders()}, content


def ask(path, body, status=200, headers=None):
    """The document of a reply that must have a status."""
    code, _, content = send("POST", path, body, headers)
    assert code == status, (code, content[:300])
    return json.loads(content)


def get(path, status=200, headers=None):
    code, _, content = send("GET", path, None, headers)
    assert code == status, (code, content[:300])
    return json.loads(content)


def chat(status=200, **fields):
    return ask(chats, {"model": model, "messages": asked, "max_tokens": 16, "temperature": 0} | fields, status)


def complete(status=200, **fields):
    return ask(texts, {"model": model, "prompt": "The sun", "max_tokens": 8, "temperature": 0} | fields, status)


def refused(path=chats, param=None, code=None, status=400, kind="invalid_request_error", **fields):
    """A request that must be refused in OpenAI's words."""
    base = {"model": model, "max_output_tokens" if "responses" in path else "max_tokens": 4}
    base |= {"messages": asked} if "chat" in path else {"prompt": "The sun"} if "completions" in path else {"input": "Hi"}
    error = ask(path, base | fields, status)["error"]
    assert set(error) >= {"message", "type", "param", "code"}, error
    assert error["type"] == kind and error["message"], error
    assert param is None or (error["param"] or "").startswith(param), error
    assert code is None or error["code"] == code, error
    return error


def events(path, body):
    """Names and documents of a stream's events, and the raw bytes."""
    status, headers, content = send("POST", path, body | {"stream": True})
    assert status == 200, (status, content[:300])
    assert headers["content-type"].startswith("text/event-stream"), headers
    assert headers["cache-control"] == "no-cache" and headers["x-accel-buffering"] == "no", headers
    found = []
    for block in content.decode().split("\n\n")[:-1]:
        lines = [line for line in block.split("\n") if not line.startswith(":")]
        name = next((line[7:] for line in lines if line.startswith("event: ")), None)
        data = [line[6:] for line in lines if line.startswith("data: ")]
        if data:
            assert len(data) == 1, block
            found.append((name, data[0] if data[0] == "[DONE]" else json.loads(data[0])))
    assert content.endswith(b"\n\n")
    return found


def chunks(**fields):
    found = events(chats, {"model": model, "messages": asked, "max_tokens": 16, "temperature": 0} | fields)
    assert found[-1][1] == "[DONE]" and all(name is None for name, _ in found)
    return [data for _, data in found[:-1]]


def said(found, choice=0):
    return "".join(c["delta"].get("content") or "" for k in found for c in k["choices"] if c["index"] == choice)


def raw(data, pieces=None, wait=5):
    """What comes back for some bytes, until the server closes or nothing more comes."""
    with socket.create_connection((place.hostname, place.port), timeout=wait) as connection:
        connection.sendall(data)
        for pause, piece in pieces or []:
            time.sleep(pause)
            connection.sendall(piece)
        got = b""
        try:
            while piece := connection.recv(65536):
                got += piece
        except (TimeoutError, ConnectionResetError):
            pass
        return got


def head(method, path, *fields, host=None):
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host or place.netloc}", *fields, "", ""]).encode()


def streaming(**fields):
    """A connection on which a long answer is arriving, until it is closed."""
    body = json.dumps({"messages": asked, "max_tokens": 900, "ignore_eos": True, "stream": True} | fields).encode()
    connection = socket.create_connection((place.hostname, place.port), timeout=10)
    connection.sendall(head("POST", chats, f"Content-Length: {len(body)}") + body)
    connection.recv(100)
    return connection


def named(name, function):
    function.__name__ = name
    check(function)


# Models and small endpoints


@check
def models_are_listed():
    document = get("/v1/models")
    assert document["object"] == "list"
    entry = next(entry for entry in document["data"] if entry["id"] == model)
    assert entry["object"] == "model" and isinstance(entry["created"], int) and isinstance(entry["owned_by"], str)
    # Codex reads this list.
    assert [entry["model"] for entry in document["models"]]
    assert get("/models")["object"] == "list"


@check
def a_model_is_found_by_its_name():
    assert get(f"/v1/models/{model}")["id"] == model
    assert get("/v1/models/" + "".join(f"%{byte:02X}" for byte in model.encode()))["id"] == model


@check
def an_unknown_model_is_not_found():
    for path in ["/v1/models/who", "/v1/models/some/one%3Alatest"]:
        error = get(path, 404)["error"]
        assert error["code"] == "model_not_found" and error["type"] == "not_found_error", error
    for path in [chats, texts, "/v1/responses"]:
        refused(path, model="who", code="model_not_found", status=404, kind="not_found_error", param="model")


@check
def health_is_public():
    assert get("/health") == {"status": "ok"} and get("/v1/health") == {"status": "ok"}


@check
def props_describe_the_model():
    props = get("/props")
    assert props["default_generation_settings"]["n_ctx"] > 0 and props["total_slots"] > 0
    assert "messages" in props["chat_template"] and props["modalities"]["vision"] in (True, False)
    assert {"bos_token", "eos_token", "build_info"} <= set(props)
    assert send("POST", "/props", {})[0] in (404, 405, 501)


@check
def slots_do_not_reveal_prompts():
    secret = [{"role": "user", "content": "xyzzy"}]
    # An answer may end before its slot is seen, and that of an earlier one may not be free yet.
    for _ in range(5):
        with streaming(messages=secret):
            slots = get("/slots")
        if sum(slot["is_processing"] for slot in slots) == 1:
            break
    assert sum(slot["is_processing"] for slot in slots) == 1, slots
    assert [slot["id"] for slot in slots] == list(range(len(slots))) and "xyzzy" not in json.dumps(slots)
    fields = {"id", "id_task", "n_ctx", "is_processing", "next_token"}
    assert all(set(slot) == fields and slot["n_ctx"] > 0 for slot in slots), slots
    assert all(token == {"has_next_token": slot["is_processing"]} for slot in slots for token in slot["next_token"])


@check
def metrics_are_prometheus_text():
    status, headers, content = send("GET", "/metrics")
    assert status == 200 and headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in content.decode().splitlines():
        assert line.startswith("#") or re.fullmatch(r'[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? [-+0-9.eE]+(inf|Inf|NaN)?', line), line
    assert b"leap:" in content


@check
def version_is_returned():
    assert get("/version")["version"]


@check
def tokenize_and_detokenize():
    tokens = ask("/tokenize", {"content": "Hello wörld 😀"})["tokens"]
    assert all(isinstance(token, int) for token in tokens)
    assert ask("/detokenize", {"tokens": tokens})["content"] == "Hello wörld 😀"
    marked = ask("/tokenize", {"content": "Hello", "add_special": True})["tokens"]
    assert len(marked) >= len(ask("/tokenize", {"content": "Hello"})["tokens"])
    assert ask("/tokenize", {"content": ""})["tokens"] == [] and ask("/detokenize", {"tokens": []})["content"] == ""


@check
def tokens_with_pieces():
    pieces = ask("/tokenize", {"content": "a😀", "with_pieces": True})["tokens"]
    whole = b"".join(p["piece"].encode() if isinstance(p["piece"], str) else bytes(p["piece"]) for p in pieces)
    assert whole == "a😀".encode(), pieces


@check
def control_tokens_are_parsed_unless_turned_off():
    text = {"content": "<|im_start|>"}
    assert len(ask("/tokenize", text)["tokens"]) == 1
    assert len(ask("/tokenize", text | {"parse_special": False})["tokens"]) > 1


for body in [{}, {"content": 1}, {"content": "a", "add_special": 1}]:
    named(f"tokenize rejects {body}", lambda body=body: ask("/tokenize", body, 400))
for body in [{}, {"tokens": "a"}, {"tokens": [-1]}, {"tokens": [10**9]}, {"tokens": [1.5]}, {"tokens": [2**70]}]:
    named(f"detokenize rejects {body}", lambda body=body: ask("/detokenize", body, 400))


@check
def templates_are_applied():
    prompt = ask("/apply-template", {"messages": asked})["prompt"]
    assert "Say hello." in prompt and "assistant" in prompt
    tools = ask("/apply-template", {"messages": asked, "tools": [weather]})["prompt"]
    assert "get_weather" in tools
    ask("/apply-template", {"messages": []}, 400)
    head = ask("/apply-template", {"messages": asked, "add_generation_prompt": False})["prompt"]
    assert ask("/apply-template", {"messages": asked})["prompt"].startswith(head) and not head.rstrip().endswith("assistant")
    refused(add_generation_prompt=False, param="add_generation_prompt")


@check
def the_openapi_document_lists_the_paths():
    document = get("/openapi.json")
    assert document["openapi"].startswith("3.")
    for path in [chats, texts, "/v1/responses", "/v1/messages", "/api/chat", "/health"]:
        assert path in document["paths"], path


# Chats


@check
def a_chat_completion_has_all_fields():
    reply = chat()
    assert reply["id"].startswith("chatcmpl-") and reply["object"] == "chat.completion" and reply["model"] == model
    assert isinstance(reply["created"], int) and reply["system_fingerprint"]
    choice = reply["choices"][0]
    assert choice["index"] == 0 and choice["finish_reason"] in ("stop", "length") and choice["logprobs"] is None
    assert choice["message"]["role"] == "assistant" and choice["message"]["content"] and choice["message"]["refusal"] is None
    usage = reply["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens_details"]["cached_tokens"] >= 0
    assert {"reasoning_tokens", "accepted_prediction_tokens", "rejected_prediction_tokens"} <= set(usage["completion_tokens_details"])
    assert {"cache_n", "prompt_n", "prompt_ms", "prompt_per_token_ms", "prompt_per_second", "predicted_n", "predicted_ms",
            "predicted_per_token_ms", "predicted_per_second"} <= set(reply["timings"])


@check
def paths_without_a_version_prefix():
    body = {"messages": asked, "max_tokens": 1}
    assert ask("/chat/completions", body)["choices"] and ask("/completions", {"prompt": "a", "max_tokens": 1})["choices"]
    assert ask("/responses", {"input": "a", "max_output_tokens": 1})["output"]
    assert ask("/messages", body | {"model": model})["content"] is not None


@check
def json_is_accepted_with_other_content_types():
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"]:
        ask(chats, {"messages": asked, "max_tokens": 1}, headers={"Content-Type": kind})
    ask(chats, {"messages": asked}, 415, headers={"Content-Type": "multipart/form-data; boundary=a"})
    ask(chats, {"messages": asked}, 415, headers={"Content-Encoding": "gzip"})


@check
def a_stream_matches_the_whole_answer():
    whole, found = chat(), chunks()
    assert said(found) == whole["choices"][0]["message"]["content"]
    assert {chunk["object"] for chunk in found} == {"chat.completion.chunk"} and len({chunk["id"] for chunk in found}) == 1
    assert found[0]["choices"][0]["delta"]["role"] == "assistant"
    assert all("role" not in chunk["choices"][0]["delta"] for chunk in found[1:])
    assert found[-1]["choices"][0]["delta"] == {} and found[-1]["choices"][0]["finish_reason"] == whole["choices"][0]["finish_reason"]
    assert all(chunk["choices"][0]["finish_reason"] is None for chunk in found[:-1])
    assert not any("usage" in chunk for chunk in found), "usage was not requested"


@check
def usage_is_in_the_last_chunk():
    found = chunks(stream_options={"include_usage": True})
    assert found[-1]["choices"] == [] and found[-1]["usage"]["total_tokens"] > 0
    assert all(chunk["usage"] is None for chunk in found[:-1])


@check
def several_choices():
    whole = chat(n=3, temperature=1, seed=5)
    assert [choice["index"] for choice in whole["choices"]] == [0, 1, 2]
    found = chunks(n=3, temperature=1, seed=5)
    for choice in whole["choices"]:
        assert said(found, choice["index"]) == choice["message"]["content"]
    alone = chat(temperature=1, seed=6)
    assert alone["choices"][0]["message"]["content"] == whole["choices"][1]["message"]["content"]


@check
def seeds_make_sampling_reproducible():
    answers = {chat(temperature=1.5, seed=n, max_tokens=24)["choices"][0]["message"]["content"] for n in [1, 1, 1]}
    assert len(answers) == 1
    assert len({chat(temperature=2, seed=n, max_tokens=24)["choices"][0]["message"]["content"] for n in range(6)}) > 1
    for seed in [-1, 0, 2**63 - 1, -(2**63), 2**64 - 1]:
        chat(seed=seed, max_tokens=1)


@check
def concurrent_requests_do_not_change_answers():
    alone = chat(temperature=1, seed=3, logprobs=True)["choices"]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(chat, temperature=1, seed=3 + k % 2, logprobs=True) for k in range(8)]
        assert all(job.result()["choices"] == alone for job in jobs[::2])


@check
def max_tokens_and_max_completion_tokens():
    assert chat(max_tokens=2)["usage"]["completion_tokens"] == 2
    reply = chat(max_tokens=9, max_completion_tokens=3, ignore_eos=True)
    assert reply["usage"]["completion_tokens"] == 3 and reply["choices"][0]["finish_reason"] == "length"


@check
def stop_sequences_end_answers():
    text = chat()["choices"][0]["message"]["content"]
    stop = text[3:6]
    for body in [{"stop": stop}, {"stop": [stop, "never seen"]}]:
        choice = chat(**body)["choices"][0]
        assert choice["message"]["content"] == text[: text.index(stop)] and choice["finish_reason"] == "stop"
        assert said(chunks(**body)) == text[: text.index(stop)]
    assert chat(stop=None)["choices"][0]["message"]["content"] == text
    assert chat(stop=[])["choices"][0]["message"]["content"] == text


@check
def logprobs_of_tokens():
    content = chat(logprobs=True, top_logprobs=3)["choices"][0]["logprobs"]["content"]
    for token in content:
        assert set(token) == {"token", "logprob", "bytes", "top_logprobs"} and len(token["top_logprobs"]) == 3
        assert token["logprob"] <= 0 and token["token"].encode() == bytes(token["bytes"])
        tops = [top["logprob"] for top in token["top_logprobs"]]
        assert tops == sorted(tops, reverse=True) and all(set(top) == {"token", "logprob", "bytes"} for top in token["top_logprobs"])
    streamed = [t for k in chunks(logprobs=True, top_logprobs=3) for t in (k["choices"][0]["logprobs"] or {"content": []})["content"]]
    assert streamed == content
    assert chat(logprobs=True)["choices"][0]["logprobs"]["content"][0]["top_logprobs"] == []


@check
def logit_bias_is_applied():
    token = ask("/tokenize", {"content": "!"})["tokens"][0]
    for bias in [{str(token): 100}, [[token, 100]]]:
        assert set(chat(logit_bias=bias, max_tokens=4)["choices"][0]["message"]["content"]) == {"!"}


@check
def message_parts_and_roles():
    parts = [{"role": "user", "content": [{"type": "text", "text": "Say "}, {"type": "text", "text": "hello."}]}]
    assert chat(messages=parts)["usage"]["prompt_tokens"] > 0
    for role in ["system", "developer"]:
        chat(messages=[{"role": role, "content": "Be kind."}] + asked)
    first = ask("/apply-template", {"messages": [{"role": "developer", "content": "Be kind."}] + asked})
    assert first == ask("/apply-template", {"messages": [{"role": "system", "content": "Be kind."}] + asked})


@check
def prefilled_answers_are_continued():
    whole = chat(messages=greeting)["choices"][0]["message"]["content"]
    first, space, rest = whole.partition(" ")
    turns = greeting + [{"role": "assistant", "content": first}]
    assert rest and chat(messages=turns)["choices"][0]["message"]["content"] == space + rest, whole
    assert rest and said(chunks(messages=turns)) == space + rest
    refused(messages=asked + [{"role": "assistant", "content": "Hel"}], response_format={"type": "json_object"})


@check
def control_tokens_in_messages_stay_text():
    trick = [{"role": "user", "content": "<|im_end|><|im_start|>"}]
    plain = [{"role": "user", "content": "x"}]
    assert chat(messages=trick)["usage"]["prompt_tokens"] > chat(messages=plain)["usage"]["prompt_tokens"] + 3


@check
def unusual_unicode_is_accepted():
    for text in ["\u0000\u0001", "e\u0301", "👨‍👩‍👧‍👦", "\ufeff", "مرحبا", "\U0010ffff", " "]:
        chat(messages=[{"role": "user", "content": text}], max_tokens=2)
    for escape, status in [("\\ud83d\\ude00", 200), ("\\ud800", 400)]:  # a lone surrogate is not valid text
        ask(chats, '{"messages":[{"role":"user","content":"%s"}],"max_tokens":1}' % escape, status=status)


@check
def json_response_formats():
    text = chat(response_format={"type": "json_object"}, max_tokens=60)
    if text["choices"][0]["finish_reason"] == "stop":
        assert isinstance(json.loads(text["choices"][0]["message"]["content"]), dict)
    schema = {"type": "object", "properties": {"a": {"enum": [1, 2]}, "b": {"type": "boolean"}}, "required": ["a", "b"], "additionalProperties": False}
    reply = chat(response_format={"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": schema}}, max_tokens=60)
    answer = json.loads(reply["choices"][0]["message"]["content"])
    assert answer["a"] in (1, 2) and answer["b"] in (True, False) and reply["choices"][0]["finish_reason"] == "stop"


@check
def grammars_constrain_answers():
    assert chat(grammar='root ::= "yes" | "no"')["choices"][0]["message"]["content"] in ("yes", "no")
    refused(grammar="root ::= (", code=None)


def arguments_of(call):
    arguments = json.loads(call["function"]["arguments"])
    assert call["type"] == "function" and call["id"] and call["function"]["name"] == "get_weather"
    assert arguments["unit"] in ("C", "F") and len(arguments["city"]) <= 12 and len(arguments) == 2
    return arguments


@check
def forced_calls():
    for choice in ["required", {"type": "function", "function": {"name": "get_weather"}}]:
        reply = chat(tools=[weather], tool_choice=choice, max_tokens=80)["choices"][0]
        assert reply["finish_reason"] == "tool_calls" and reply["message"]["content"] is None
        arguments_of(reply["message"]["tool_calls"][0])


@check
def only_allowed_tools_are_called():
    allowed = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "get_time"}}]}}
    call = chat(tools=[weather, clock], tool_choice=allowed, max_tokens=80)["choices"][0]["message"]["tool_calls"][0]
    assert call["function"] == {"name": "get_time", "arguments": call["function"]["arguments"]}
    assert json.loads(call["function"]["arguments"]) == {"zone": "UTC"}


@check
def tool_choices_without_forced_or_parallel_calls():
    message = chat(tools=[weather], tool_choice="none")["choices"][0]["message"]
    assert "tool_calls" not in message and message["content"]
    chat(tools=[weather], tool_choice="auto", parallel_tool_calls=False)
    assert len(chat(tools=[weather], tool_choice="required", parallel_tool_calls=False, max_tokens=80)["choices"][0]["message"]["tool_calls"]) == 1


@check
def streamed_tool_calls():
    found = chunks(tools=[weather], tool_choice="required", max_tokens=80)
    deltas = [d for k in found for c in k["choices"] for d in c["delta"].get("tool_calls", [])]
    assert deltas[0]["index"] == 0 and deltas[0]["id"] and deltas[0]["function"] == {"name": "get_weather", "arguments": ""}
    assert all("name" not in d["function"] and "id" not in d for d in deltas if d["index"] == 0 and d is not deltas[0])
    assert json.loads("".join(d["function"]["arguments"] for d in deltas if d["index"] == 0))["unit"] in ("C", "F")
    assert found[-1]["choices"][0]["finish_reason"] == "tool_calls"


@check
def tool_results_are_accepted():
    call = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome", "unit": "C"}'}}
    history = asked + [{"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "tool", "tool_call_id": "call_1", "content": "sunny"}]
    assert chat(messages=history, tools=[weather])["choices"][0]["message"]["content"]


@check
def repeated_prompts_are_cached():
    long = [{"role": "user", "content": "Tell me of the sea. " * 40}]
    chat(messages=long, max_tokens=1)
    assert chat(messages=long, max_tokens=1)["usage"]["prompt_tokens_details"]["cached_tokens"] >= 128
    assert chat(messages=long, max_tokens=1, cache_prompt=False)["usage"]["prompt_tokens_details"]["cached_tokens"] == 0


@check
def overlong_prompts_are_rejected():
    error = refused(messages=[{"role": "user", "content": "sea " * 5000}], code="context_length_exceeded", param="messages")
    assert error["n_prompt_tokens"] > error["n_ctx"] > 0
    refused(texts, prompt="sea " * 5000, code="context_length_exceeded", param="prompt")
    ask(chats, {"messages": [{"role": "user", "content": "sea " * 5000}], "stream": True}, 400)


@check
def fields_without_effect_are_accepted():
    chat(user="me", metadata={"a": "b"}, store=True, safety_identifier="x", prompt_cache_key="k", verbosity="low", id_slot=2,
         samplers=[], whatever=[1], n_probs=0, timings_per_token=False, return_progress=False, top_k=-1, mirostat=0, min_tokens=0, modalities=["text"])
    for tier in ["auto", "default", "flex", "priority"]:
        assert chat(service_tier=tier, max_tokens=1)["service_tier"] in ("default", "flex", "priority")
    for effort in ["none", "minimal", "low", "medium", "high"]:
        chat(reasoning_effort=effort, max_tokens=1)
    chat(chat_template_kwargs={"enable_thinking": False}, thinking_budget_tokens=5, max_tokens=1)
    null = dict.fromkeys(["stop", "temperature", "top_p", "n", "seed", "tools", "tool_choice", "response_format", "logprobs", "stream", "logit_bias", "user"])
    chat(**null)


for field, values in {
    "messages": [[], "hello", None, [1], [{}], [{"role": "user"}], [{"role": 1, "content": "a"}], [{"role": "alien", "content": "a"}],
                 [{"role": "user", "content": 5}], [{"role": "user", "content": None}], [{"role": "user", "content": [{"type": "smell"}]}],
                 [{"role": "user", "content": [{"type": "text"}]}], [{"role": ["user"], "content": "a"}],
                 [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}],
                 [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}]}],
                 [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://127.0.0.1/a.png"}}]}],
                 [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}]}],
                 [{"role": "assistant", "content": None}]],
    "model": [5, [], {}],
    "max_tokens": [0, -5, 1.5, "4", 10**30, True],
    "max_completion_tokens": [0, -1, 1.5, "4", True],
    "stream": ["true", 1],
    "stream_options": [{"include_usage": True}, 5],
    "n": [0, -1, 9, 10**9, 1.5, "2"],
    "stop": ["", ["a", ""], 5, ["a"] * 17, [1], {}],
    "seed": [1.5, "a", 2**70, {}],
    "temperature": [-0.1, 2.1, "1", 1e300, True],
    "top_p": [-0.1, 1.1, "1"],
    "top_k": [-2, 1.5, "a"],
    "min_p": [-1, 2],
    "samplers": [["top_k"]],
    "n_probs": [2],
    "timings_per_token": [True],
    "guided_json": [5],
    "stop_token_ids": [[1]],
    "n_predict": [0, -5],
    "presence_penalty": [-2.1, 2.1],
    "frequency_penalty": [-2.1, 2.1],
    "repeat_penalty": [0, -1],
    "logit_bias": [{"a": 1}, {"1": 101}, {"99999999": 1}, {"-1": 1}, {"1": "x"}, 5, {str(k): 0 for k in range(1100)}],
    "logprobs": [1, "true"],
    "top_logprobs": [1, 21, -1],
    "tools": [5, [1], [{"type": "function"}], [{"type": "function", "function": {"name": "a b"}}], [{"type": "function", "function": {"name": "x" * 65}}],
              [weather, weather], [weather] * 129, [{"type": "function", "function": {"name": "a", "parameters": 5}}]],
    "tool_choice": ["sometimes", "required", {"type": "function", "function": {"name": "who"}}, 5, {"type": "function"}],
    "response_format": [5, {}, {"type": "xml"}, {"type": "json_schema"}, {"type": "json_schema", "json_schema": {"name": "a"}},
                        {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "alien"}}},
                        {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "string", "pattern": "("}}},
                        {"type": "json_schema", "json_schema": {"name": "a", "schema": {"$ref": "#/$defs/none"}}},
                        {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "string", "minLength": 10**9, "maxLength": 5}}}],
    "reasoning_effort": ["huge", 5],
    "chat_template_kwargs": [5],
    "functions": [[{"name": "a"}]],
    "function_call": ["auto"],
    "modalities": [["text", "audio"]],
    "audio": [{"voice": "a"}],
    "service_tier": ["gold"],
    "parallel_tool_calls": ["yes"],
}.items():

    def refuses(field=field, values=values):
        for value in values:
            try:
                refused(param=field, **{field: value})
            except AssertionError as error:
                raise AssertionError(f"{str(value)[:80]}: {error}") from None

    named(f"chats reject invalid {field}", refuses)

# Completions


@check
def a_completion_has_all_fields():
    reply = complete()
    assert reply["id"].startswith("cmpl-") and reply["object"] == "text_completion" and reply["model"] == model
    choice = reply["choices"][0]
    assert choice["index"] == 0 and choice["text"] and choice["finish_reason"] in ("stop", "length") and choice["logprobs"] is None
    assert reply["usage"]["completion_tokens"] <= 8


@check
def all_forms_of_prompts_are_accepted():
    tokens = ask("/tokenize", {"content": "The sun", "add_special": True})["tokens"]
    assert len(complete(prompt=["a", "b"], n=2)["choices"]) == 4
    assert [c["index"] for c in complete(prompt=["a", "b"], n=2)["choices"]] == [0, 1, 2, 3]
    assert complete(prompt=tokens)["choices"][0]["text"]
    assert len(complete(prompt=[tokens, tokens])["choices"]) == 2


@check
def echoed_prompts_have_logprobs():
    choice = complete(echo=True, logprobs=1, max_tokens=1)["choices"][0]
    assert choice["text"].startswith("The sun")
    shape = choice["logprobs"]
    assert set(shape) == {"tokens", "token_logprobs", "top_logprobs", "text_offset"} and len({len(v) for v in shape.values()}) == 1
    assert shape["token_logprobs"][0] is None and all(value <= 0 for value in shape["token_logprobs"][1:])
    assert "".join(shape["tokens"]) == choice["text"]
    assert complete(echo=True, max_tokens=0, logprobs=1)["choices"][0]["text"] == "The sun"


@check
def streamed_completions():
    whole = complete()["choices"][0]
    found = [data for _, data in events(texts, {"prompt": "The sun", "max_tokens": 8, "temperature": 0, "stream_options": {"include_usage": True}})]
    assert found[-1] == "[DONE]" and found[-2]["choices"] == [] and found[-2]["usage"]["total_tokens"] > 0
    assert "".join(k["choices"][0]["text"] for k in found[:-2]) == whole["text"]
    assert found[-3]["choices"][0]["finish_reason"] == whole["finish_reason"] and all(k["usage"] is None for k in found[:-2])


for field, values in {
    "prompt": [None, 5, [], [[]], [["a"]], [1.5], [-1], [10**9], {}],
    "max_tokens": [1.5, "a", -7], "n": [0, 9], "best_of": [3], "logprobs": [-1, 6, 1.5, 10**9], "echo": [1], "suffix": ["b"], "stop": [""],
    "stream_options": [{"include_usage": True}], "response_format": [{"type": "json_object"}], "max_completion_tokens": [5], "n_predict": [5],
}.items():

    def refuses(field=field, values=values):
        for value in values:
            try:
                refused(texts, param=field, **{field: value})
            except AssertionError as error:
                raise AssertionError(f"{str(value)[:80]}: {error}") from None

    named(f"completions reject invalid {field}", refuses)

# Responses


def respond(status=200, **fields):
    return ask("/v1/responses", {"model": model, "input": "Say hello.", "max_output_tokens": 16, "temperature": 0} | fields, status)


@check
def a_response_has_all_fields():
    reply = respond()
    assert reply["id"].startswith("resp_") and reply["object"] == "response" and reply["status"] in ("completed", "incomplete")
    for key in ["created_at", "model", "output", "parallel_tool_calls", "tool_choice", "tools", "usage", "error", "incomplete_details",
                "instructions", "metadata", "temperature", "top_p", "text", "reasoning"]:
        assert key in reply, key
    assert reply["output"][0]["content"][0]["type"] == "output_text" and reply["output"][0]["content"][0]["annotations"] == []
    assert {"input_tokens", "input_tokens_details", "output_tokens", "output_tokens_details", "total_tokens"} <= set(reply["usage"])
    assert reply["usage"]["input_tokens_details"]["cached_tokens"] >= 0
    short = respond(max_output_tokens=1)
    assert short["status"] == "incomplete" and short["incomplete_details"] == {"reason": "max_output_tokens"}


@check
def events_of_a_response():
    found = events("/v1/responses", {"model": model, "input": "Say hello.", "max_output_tokens": 8})
    names = [name for name, _ in found]
    assert all(name == data["type"] for name, data in found)
    assert [data["sequence_number"] for _, data in found] == list(range(len(found)))
    assert names[:4] == ["response.created", "response.in_progress", "response.output_item.added", "response.content_part.added"]
    assert names[-4:-1] == ["response.output_text.done", "response.content_part.done", "response.output_item.done"]
    assert names[-1] in ("response.completed", "response.incomplete")
    for name, data in found:
        if "output_text" in name:
            assert {"item_id", "output_index", "content_index", "logprobs"} <= set(data), data
    text = "".join(data["delta"] for name, data in found if name == "response.output_text.delta")
    assert text == found[-1][1]["response"]["output"][0]["content"][0]["text"]


@check
def function_calls_of_a_response():
    tool = {"type": "function"} | weather["function"]
    body = {"model": model, "input": "Weather?", "tools": [tool, {"type": "web_search"}], "tool_choice": "required", "temperature": 0}
    found = events("/v1/responses", body)
    pieces = "".join(data["delta"] for name, data in found if name == "response.function_call_arguments.delta")
    done = next(data for name, data in found if name == "response.function_call_arguments.done")
    assert done["arguments"] == pieces and json.loads(pieces)["unit"] in ("C", "F") and "item_id" in done and "output_index" in done
    item = found[-1][1]["response"]["output"][-1]
    assert item["type"] == "function_call" and item["call_id"] and item["name"] == "get_weather"
    history = [{"role": "user", "content": "Weather?"}, item, {"type": "function_call_output", "call_id": item["call_id"], "output": "sunny"}]
    respond(input=history, tools=[tool])


for field, value in [("previous_response_id", "resp_1"), ("conversation", "c"), ("background", True), ("truncation", "auto"),
                     ("input", None), ("input", 5), ("input", [{"type": "alien"}]), ("max_output_tokens", 0), ("text", {"format": {"type": "xml"}}),
                     ("response_format", {"type": "json_object"}), ("max_completion_tokens", 5), ("max_tokens", 5)]:
    named(f"responses refuse {field} {value}", lambda f=field, v=value: refused("/v1/responses", param=f, **{f: v}))


@check
def responses_are_not_stored():
    respond(store=True)
    get("/v1/responses/resp_1", 404)
    get("/v1/responses/resp_1/input_items", 404)


# Anthropic


def message(status=200, path="/v1/messages", **fields):
    return ask(path, {"model": model, "messages": asked, "max_tokens": 16, "temperature": 0} | fields, status)


@check
def a_message_has_all_fields():
    reply = message()
    assert reply["id"].startswith("msg_") and reply["type"] == "message" and reply["role"] == "assistant" and reply["model"] == model
    assert reply["content"][0]["type"] == "text" and reply["stop_reason"] in ("end_turn", "max_tokens") and reply["stop_sequence"] is None
    assert {"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"} <= set(reply["usage"])
    assert message(path="/v1/messages?beta=true", max_tokens=1)["stop_reason"] == "max_tokens"


@check
def events_of_a_message():
    found = events("/v1/messages", {"model": model, "messages": asked, "max_tokens": 8})
    assert all(name == data["type"] for name, data in found)
    names = [name for name, _ in found if name != "ping"]
    assert names[:2] == ["message_start", "content_block_start"] and names[-3:] == ["content_block_stop", "message_delta", "message_stop"]
    assert set(names[2:-3]) == {"content_block_delta"}
    assert found[-2][1]["delta"]["stop_reason"] and found[-2][1]["usage"]["output_tokens"] > 0


@check
def tool_use_of_a_message():
    tool = {"name": "get_weather", "input_schema": weather["function"]["parameters"]}
    for choice in [{"type": "any"}, {"type": "tool", "name": "get_weather", "disable_parallel_tool_use": True}]:
        reply = message(tools=[tool], tool_choice=choice, max_tokens=80)
        block = reply["content"][-1]
        assert reply["stop_reason"] == "tool_use" and block["type"] == "tool_use" and block["input"]["unit"] in ("C", "F")
    history = asked + [{"role": "assistant", "content": [block]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": block["id"], "content": "sunny"}]}]
    message(messages=history, tools=[tool])


@check
def stop_sequences_of_a_message():
    text = message()["content"][0]["text"]
    reply = message(stop_sequences=[text[3:6]])
    assert reply["stop_reason"] == "stop_sequence" and reply["stop_sequence"] == text[3:6]


@check
def counted_tokens_match_the_usage():
    body = {"model": model, "messages": asked}
    count = ask("/v1/messages/count_tokens", body)
    assert set(count) == {"input_tokens"}
    usage = message()["usage"]
    assert count["input_tokens"] == usage["input_tokens"] + usage["cache_read_input_tokens"] + usage["cache_creation_input_tokens"]


@check
def billing_headers_are_not_counted():
    def system(k):
        return [{"type": "text", "text": f"x-anthropic-billing-header: cch={k};"}, {"type": "text", "text": "Be kind."}]
    body = {"model": model, "messages": asked}
    one, two, none = (ask("/v1/messages/count_tokens", body | {"system": s}) for s in [system("a"), system("bcdefgh"), "Be kind."])
    assert one == two == none


@check
def anthropic_errors():
    for body, status, kind in [({"messages": asked}, 400, "invalid_request_error"), ({"messages": [], "max_tokens": 1}, 400, "invalid_request_error"),
                               ({"messages": asked, "max_tokens": 1, "model": "who"}, 404, "not_found_error"), ("{", 400, "invalid_request_error")]:
        error = ask("/v1/messages", body, status)
        assert error["type"] == "error" and error["error"]["type"] == kind and error["error"]["message"] and error["request_id"], error


# ollama


def lines(path, body):
    status, headers, content = send("POST", path, body)
    assert status == 200 and headers["content-type"].startswith("application/x-ndjson"), (status, headers, content[:200])
    return [json.loads(line) for line in content.decode().splitlines()]


counts = {"total_duration", "load_duration", "prompt_eval_count", "prompt_eval_duration", "eval_count", "eval_duration"}


@check
def ollama_chats_stream_by_default():
    found = lines("/api/chat", {"model": model, "messages": asked, "options": {"num_predict": 8, "temperature": 0}})
    assert all(line["message"]["role"] == "assistant" and line["model"] == model for line in found)
    assert all(not line["done"] for line in found[:-1]) and found[-1]["done"] and found[-1]["done_reason"] in ("stop", "length")
    assert all(isinstance(found[-1][key], int) for key in counts)
    whole = ask("/api/chat", {"model": model + ":latest", "messages": asked, "stream": False, "options": {"num_predict": 8, "temperature": 0}})
    assert whole["message"]["content"] == "".join(line["message"]["content"] for line in found)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", whole["created_at"])


@check
def ollama_generates():
    found = lines("/api/generate", {"model": model, "prompt": "Hi", "options": {"num_predict": 4}})
    assert found[-1]["done"] and counts <= set(found[-1])
    loaded = ask("/api/generate", {"model": model, "stream": False})
    assert loaded["done"] and loaded["done_reason"] == "load" and loaded["response"] == ""


@check
def ollama_formats_and_tools():
    schema = {"type": "object", "properties": {"a": {"enum": [1]}}, "required": ["a"], "additionalProperties": False}
    reply = ask("/api/chat", {"model": model, "messages": asked, "format": schema, "stream": False})
    assert json.loads(reply["message"]["content"]) == {"a": 1}
    call = {"function": {"name": "get_weather", "arguments": {"city": "Rome", "unit": "C"}}}
    history = asked + [{"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "tool", "tool_name": "get_weather", "content": "sunny"}]
    ask("/api/chat", {"model": model, "messages": history, "tools": [weather], "stream": False, "options": {"num_predict": 4}})


@check
def ollama_lists_and_shows_models():
    tag = get("/api/tags")["models"][0]
    assert {"name", "model", "modified_at", "size", "digest", "details"} <= set(tag)
    assert {"format", "family", "families", "parameter_size", "quantization_level"} <= set(tag["details"])
    running = get("/api/ps")["models"][0]
    assert {"size_vram", "expires_at"} <= set(running) and get("/api/version")["version"]
    show = ask("/api/show", {"model": model})
    assert {"details", "model_info", "template", "parameters", "capabilities"} <= set(show) and "completion" in show["capabilities"]
    assert "tools" in show["capabilities"] and "general.architecture" in show["model_info"]


@check
def ollama_errors():
    for path, body, status in [("/api/chat", {"model": "who", "messages": asked}, 404), ("/api/chat", {"messages": asked}, 400), ("/api/chat", "[", 400),
                               ("/api/show", {"model": "who"}, 404), ("/api/chat", {"model": model, "messages": asked, "options": {"temperature": "a"}}, 400),
                               ("/api/pull", {"model": "a"}, 501), ("/api/create", {"model": "a"}, 501), ("/api/push", {"model": "a"}, 501), ("/api/copy", {}, 501)]:
        assert isinstance(ask(path, body, status)["error"], str), path
    assert send("DELETE", "/api/delete", {"model": "a"})[0] == 501


# HTTP


@check
def unknown_paths():
    for path in ["/v1/nothing", "/v2/chat/completions", "/v1/chat/completions/"]:
        error = get(path, 404)["error"]
        assert error["type"] == "not_found_error" and error["param"] is None, error
    assert send("POST", "/api/nothing", {})[0] == 404


@check
def wrong_methods():
    for method, path, allowed in [("GET", chats, "POST"), ("POST", "/v1/models", "GET"), ("DELETE", chats, "POST"), ("PUT", "/health", "GET"), ("HEAD", chats, "POST")]:
        status, headers, _ = send(method, path)
        assert status == 405 and allowed in headers["allow"], (method, path, status, headers)


@check
def head_and_options():
    status, headers, content = send("HEAD", "/v1/models")
    assert status == 200 and content == b"" and int(headers["content-length"]) > 0
    status, headers, _ = send("OPTIONS", chats)
    assert status in (200, 204, 405) and "POST" in headers["allow"], (status, headers)


@check
def every_reply_has_a_request_id():
    assert send("GET", "/health")[1]["x-request-id"]
    assert send("GET", "/health", headers={"X-Request-Id": "abc-1"})[1]["x-request-id"] == "abc-1"
    assert send("GET", "/nothing", headers={"X-Request-Id": "a b\t<c>"})[1]["x-request-id"] != "a b\t<c>"


deep = "[" * 100_000 + "]" * 100_000
for name, body in {
    "nothing": "", "truncated": '{"messages":', "not an object": "[1]", "text": "hello", "NaN": '{"messages":[{"role":"user","content":"a"}],"temperature":NaN}',
    "infinity": '{"temperature":Infinity}', "huge number": '{"messages":[{"role":"user","content":"a"}],"temperature":1e999}',
    "trailing bytes": '{"messages":[{"role":"user","content":"a"}]}x', "duplicate keys": '{"messages":[{"role":"user","content":"a"}],"n":1,"n":2}',
    "deep nesting": '{"messages":' + deep + "}", "deep tools": json.dumps({"messages": asked})[:-1] + ',"tools":' + deep + "}",
    "wrong UTF-8": b'{"messages":[{"role":"user","content":"\xff\xfe"}]}',
    "overlong UTF-8": b'{"messages":[{"role":"user","content":"\xc0\x80"}]}', "raw control": '{"messages":[{"role":"user","content":"a\nb"}]}',
    "comments": '{/**/"messages":[]}', "byte order mark": "\ufeff{", "leading zero": '{"n":01}',
}.items():

    def refuses(body=body):
        begin = time.monotonic()
        error = ask(chats, body, 400)["error"]
        assert error["type"] == "invalid_request_error" and time.monotonic() - begin < 2, error

    named(f"invalid body is rejected: {name}", refuses)


@check
def large_requests_are_rejected():
    got = raw(head("POST", chats, "Content-Length: 1000000000"))
    assert got.startswith(b"HTTP/1.1 413"), got[:100]
    got = raw(head("GET", "/" + "a" * 20000))
    assert got[9:12] in (b"414", b"413", b"400", b"431"), got[:100]
    for fields in [["X: " + "a" * 1_000_000], [f"X{k}: a" for k in range(10_000)]]:
        assert raw(head("GET", "/health", *fields))[9:12] in (b"431", b"400", b""), fields[0][:20]


small = json.dumps({"messages": asked, "max_tokens": 1}).encode()
for name, data in {
    "two lengths": head("POST", chats, "Content-Length: 5", "Content-Length: 6") + b"{}   ",
    "a length and chunks": head("POST", chats, "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "a non-numeric length": head("POST", chats, "Content-Length: five") + b"{}   ",
    "a negative length": head("POST", chats, "Content-Length: -1"),
    "a wrong chunk": head("POST", chats, "Transfer-Encoding: chunked") + b"zz\r\nab\r\n0\r\n\r\n",
    "NUL in a header": head("GET", "/health", "X: a\0b"),
    "a space before the colon": head("GET", "/health", "X : a"),
    "a TLS handshake": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
}.items():

    def refuses(data=data):
        got = raw(data, wait=3)
        assert got == b"" or got[9:12] in (b"400", b"413", b"431", b"501"), got[:200]
        assert b" 200 " not in got and get("/health")

    named(f"malformed request is rejected: {name}", refuses)


@check
def missing_and_duplicate_hosts_are_rejected():
    assert raw(b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")[9:12] == b"400"
    assert raw(b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n")[9:12] == b"400"


@check
def chunked_bodies_are_accepted():
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(small[k : k + 7]), small[k : k + 7]) for k in range(0, len(small), 7)) + b"0\r\n\r\n"
    got = raw(head("POST", chats, "Transfer-Encoding: chunked", "Connection: close") + pieces)
    assert got.startswith(b"HTTP/1.1 200"), got[:200]


@check
def expect_100_continue():
    request = head("POST", chats, f"Content-Length: {len(small)}", "Expect: 100-continue", "Connection: close")
    got = raw(request, [(0.3, small)])
    assert got.startswith(b"HTTP/1.1 100") and b"HTTP/1.1 200" in got, got[:200]


@check
def pipelined_requests():
    one = head("GET", "/health")
    got = raw(one + one + head("GET", "/version", "Connection: close"))
    assert got.count(b"HTTP/1.1 200") == 3 and got.rindex(b'"version"') > got.rindex(b'"status"')
    stream = json.dumps({"messages": asked, "max_tokens": 2, "stream": True}).encode()
    got = raw(head("POST", chats, f"Content-Length: {len(stream)}") + stream + head("GET", "/health", "Connection: close"))
    assert got.count(b"HTTP/1.1 200") == 2 and got.index(b"[DONE]") < got.index(b'"status"')


@check
def http_1_0():
    got = raw(b"GET /health HTTP/1.0\r\n\r\n")
    assert got.startswith(b"HTTP/1.0 200") and b"chunked" not in got.lower()
    stream = json.dumps({"messages": asked, "max_tokens": 2, "stream": True}).encode()
    got = raw(b"POST /v1/chat/completions HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(stream) + stream)
    assert b"[DONE]" in got and b"chunked" not in got.lower()


@check
def connection_close_in_any_spelling():
    begin = time.monotonic()
    for words in ["Close", "close, TE", "keep-alive, close"]:
        assert b"200" in raw(head("GET", "/health", f"Connection: {words}"))
    assert time.monotonic() - begin < 4, "a connection stayed open"


@check
def other_origins_are_rejected():
    assert send("GET", "/v1/models", headers={"Origin": "https://evil.example"})[0] == 403
    status, headers, _ = send("OPTIONS", chats, headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"})
    assert status == 403 and "access-control-allow-origin" not in headers
    assert raw(head("GET", "/v1/models", "Connection: close", host="evil.example"))[9:12] == b"403"
    assert raw(head("GET", "/v1/models", "Connection: close", host="localhost"))[9:12] == b"200"
    assert send("GET", "/v1/models", headers={"Origin": f"http://{place.netloc}"})[0] == 200
    assert send("GET", "/v1/models", headers={"Origin": "null"})[0] == 403


@check
def disconnecting_frees_the_slots():
    connections = [streaming() for _ in range(6)]
    for connection in connections:
        connection.close()
    for _ in range(40):
        if not any(slot["is_processing"] for slot in get("/slots")):
            return
        time.sleep(0.05)
    raise AssertionError("answers continue after the clients have disconnected")


@check
def many_concurrent_requests():
    def one(k):
        return send("POST", chats, {"messages": asked, "max_tokens": 2, "seed": k})
    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        replies = list(pool.map(one, range(128)))
    assert {status for status, _, _ in replies} <= {200, 429, 503}
    assert all("retry-after" in headers for status, headers, _ in replies if status != 200)


finish()
