"""Checks embeddings and reranking of a running `leap serve` with OpenAI's and ollama's own clients.

    check_embeddings.py URL MODEL RANKER      prints a line for each check; 1 if one failed
"""

import json
import sys
import urllib.error
import urllib.request

import ollama
import openai

from checks import check, finish

url, model, ranker = sys.argv[1:4]
client = openai.OpenAI(base_url=url + "/v1", api_key="x", max_retries=0)
older = ollama.Client(host=url)
texts = ["hello world", "a", "The quick brown fox"]


def post(path, body):
    """Status and document of a reply."""
    request = urllib.request.Request(url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


@check
def base64_and_float_encodings_are_equal():
    usual = client.embeddings.create(model=model, input=texts)
    plain = client.embeddings.create(model=model, input=texts, encoding_format="float")
    assert [item.index for item in usual.data] == [0, 1, 2]
    for first, second in zip(usual.data, plain.data):
        assert len(first.embedding) == len(second.embedding) > 0
        assert max(abs(a - b) for a, b in zip(first.embedding, second.embedding)) < 1e-7
    assert usual.usage.prompt_tokens == usual.usage.total_tokens > 0


@check
def shortened_vectors_are_normalised():
    vector = client.embeddings.create(model=model, input="hello", dimensions=5).data[0].embedding
    assert len(vector) == 5 and abs(sum(x * x for x in vector) - 1) < 1e-5


@check
def errors_name_the_field():
    for arguments, param in [({"input": "a", "dimensions": 100000}, "dimensions"), ({"input": ["a", ""]}, "input")]:
        try:
            client.embeddings.create(model=model, **arguments)
            raise AssertionError(arguments)
        except openai.BadRequestError as error:
            assert error.param == param, error
    try:
        client.chat.completions.create(model=model, messages=[{"role": "user", "content": "a"}])
        raise AssertionError("a chat")
    except openai.APIStatusError as error:
        assert (error.status_code, error.param) == (501, "model"), error


@check
def ollama_and_openai_embeddings_are_equal():
    reply = older.embed(model=model, input=texts)
    wanted = client.embeddings.create(model=model, input=texts, encoding_format="float")
    assert [list(vector) for vector in reply.embeddings] == [item.embedding for item in wanted.data]
    assert reply.prompt_eval_count == wanted.usage.prompt_tokens and reply.total_duration > 0
    assert len(older.embeddings(model=model, prompt="hello").embedding) == len(wanted.data[0].embedding)


@check
def models_list_their_capabilities():
    listed = {item.id: item.model_dump() for item in client.models.list().data}
    assert "embedding" in listed[model]["capabilities"] and listed[ranker]["capabilities"] == ["rerank"]
    assert "embedding" in older.show(model).capabilities


@check
def documents_are_sorted_by_relevance():
    body = {"model": ranker, "query": "hello", "documents": texts, "top_n": 2, "return_documents": True}
    for path in ("/v1/rerank", "/v2/rerank", "/rerank"):
        status, reply = post(path, body)
        scores = [item["relevance_score"] for item in reply["results"]]
        assert status == 200 and len(scores) == 2 and scores == sorted(scores, reverse=True)
        assert all(item["document"]["text"] == texts[item["index"]] for item in reply["results"])
    assert post("/v1/rerank", body | {"documents": []})[0] == 400


finish()
