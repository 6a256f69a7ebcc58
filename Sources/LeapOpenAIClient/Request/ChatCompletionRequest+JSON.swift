public import LeapJSON
import OrderedCollections

extension ChatCompletionRequest {
    /// The body of the request, with the field names of OpenAI's and OpenRouter's APIs. `stream` is always true.
    public var json: JSONValue {
        var object = JSONObject(["model": .string(model), "messages": .array(messages.map(\.json))])
        object = withSampling(object)
        object = withRouting(object)
        object = withTools(object)
        for (key, value) in extraBody.sorted(by: { $0.key < $1.key }) { object = object.setting(key, value) }
        return object.setting("stream", true).value
    }

    private func withSampling(_ object: JSONObject) -> JSONObject {
        object
            .setting("temperature", temperature)
            .setting("top_p", topP)
            .setting("max_completion_tokens", maxCompletionTokens)
            .setting("max_tokens", maxTokens)
            .setting("frequency_penalty", frequencyPenalty)
            .setting("presence_penalty", presencePenalty)
            .setting("stop", stop)
            .setting("top_k", topK)
            .setting("repetition_penalty", repetitionPenalty)
            .setting("min_p", minP)
            .setting("top_a", topA)
            .setting("seed", seed)
            .setting("reasoning_effort", reasoningEffort)
            .setting("stream_options", includeUsage.map { ["include_usage": .bool($0)] })
    }

    private func withRouting(_ object: JSONObject) -> JSONObject {
        object
            .setting("transforms", transforms)
            .setting("models", models)
            .setting("route", route)
            .setting("provider", provider?.json)
    }

    private func withTools(_ object: JSONObject) -> JSONObject {
        object
            .setting("tools", tools.map { .array($0.map(\.json)) })
            .setting("tool_choice", toolChoice?.json)
            .setting("parallel_tool_calls", parallelToolCalls)
            .setting("response_format", responseFormat?.json)
    }
}
