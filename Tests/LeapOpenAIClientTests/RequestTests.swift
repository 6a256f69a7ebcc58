import Foundation
import LeapJSON
import LeapOpenAIClient
import OrderedCollections
import Testing

@Suite("Requests")
struct RequestTests {
    private let hello: [any ChatMessage] = [ChatMessage.User(content: "Hello")]

    private func body(_ request: ChatCompletionRequest) -> String { request.json.text() }

    @Test func `Unset fields are omitted, and answers are always streamed`() {
        let text = #"{"model":"m","messages":[{"role":"user","content":"Hello"}],"stream":true}"#
        #expect(body(.init(model: "m", messages: hello)) == text)
        #expect(body(.init(model: "m", messages: hello, stream: false)) == text)
        #expect(body(.init(model: "m", messages: hello, extraBody: ["stream": false])).contains(#""stream":true"#))
    }

    @Test func `Fields of the LEAP SDK are written with their JSON names`() throws {
        let request = ChatCompletionRequest(
            model: "m", messages: [], temperature: 0.5, topP: 0.25, maxCompletionTokens: 1, maxTokens: 2,
            frequencyPenalty: 0.125, presencePenalty: -1, stop: ["a", "b"], stream: true, topK: 3,
            repetitionPenalty: 1.5, minP: 0.75, topA: 0.5, transforms: ["middle-out"], models: ["n"],
            route: "fallback", provider: ProviderPreferences(order: ["p"], allowFallbacks: false))
        let expected: JSONValue = [
            "model": "m", "messages": [], "temperature": 0.5, "top_p": 0.25, "max_completion_tokens": 1,
            "max_tokens": 2, "frequency_penalty": 0.125, "presence_penalty": -1.0, "stop": ["a", "b"], "stream": true,
            "top_k": 3, "repetition_penalty": 1.5, "min_p": 0.75, "top_a": 0.5, "transforms": ["middle-out"],
            "models": ["n"], "route": "fallback", "provider": ["order": ["p"], "allow_fallbacks": false],
        ]
        #expect(request.json.dictionary == expected.dictionary)
    }

    @Test func `Further fields are written with OpenAI's JSON names`() {
        let schema: JSONValue = ["type": "object"]
        let request = ChatCompletionRequest(
            model: "m", messages: [],
            tools: [ChatCompletionTool(name: "f", description: "d", parameters: schema, strict: true)],
            toolChoice: .function(name: "f"), parallelToolCalls: false,
            responseFormat: .jsonSchema(name: "s", schema: schema), includeUsage: true, seed: 7,
            reasoningEffort: "low", extraBody: ["user": "u", "seed": 8])
        let function: JSONValue = ["name": "f", "description": "d", "parameters": schema, "strict": true]
        let expected: JSONValue = [
            "model": "m", "messages": [], "stream": true, "tools": [["type": "function", "function": function]],
            "tool_choice": ["type": "function", "function": ["name": "f"]], "parallel_tool_calls": false,
            "response_format": [
                "type": "json_schema", "json_schema": ["name": "s", "schema": schema, "strict": true],
            ],
            "stream_options": ["include_usage": true], "seed": 8, "reasoning_effort": "low", "user": "u",
        ]
        #expect(request.json.dictionary == expected.dictionary)
    }

    @Test(arguments: [
        (ChatCompletionToolChoice.auto.json, #""auto""#), (ChatCompletionToolChoice.none.json, #""none""#),
        (ChatCompletionToolChoice.required.json, #""required""#),
        (ChatCompletionResponseFormat.text.json, #"{"type":"text"}"#),
        (ChatCompletionResponseFormat.jsonObject.json, #"{"type":"json_object"}"#),
        (ChatCompletionTool(name: "f").json, #"{"type":"function","function":{"name":"f"}}"#),
    ])
    func `Tool choices and response formats are written in OpenAI's format`(json: JSONValue, text: String) {
        #expect(json.text() == text)
    }

    static let messages: [(any ChatMessage, String)] = [
        (ChatMessage.System(content: "Be brief."), #"{"role":"system","content":"Be brief."}"#),
        (ChatMessageSystem(content: "x"), #"{"role":"system","content":"x"}"#),
        (ChatMessageUser(content: "x"), #"{"role":"user","content":"x"}"#),
        (ChatMessageAssistant(content: "x"), #"{"role":"assistant","content":"x"}"#),
        (ChatMessage.User(parts: [.text("a"), .text("b")]), #"{"role":"user","content":"ab"}"#),
        (
            ChatMessage.User(parts: [
                .text("What is it?"), .image(Data([1, 2]), mediaType: "image/png", detail: "low"),
            ]),
            #"{"role":"user","content":[{"type":"text","text":"What is it?"},{"type":"image_url","#
                + #""image_url":{"url":"data:image/png;base64,AQI=","detail":"low"}}]}"#
        ),
        (
            ChatMessage.User(parts: [.audio(Data([3]), format: "wav")]),
            #"{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"Aw==","format":"wav"}}]}"#
        ),
        (
            ChatMessage.Assistant(
                content: "", toolCalls: [.init(id: "1", name: "f", arguments: "{}")], reasoning: "Hm."),
            #"{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"1","#
                + #""type":"function","function":{"name":"f","arguments":"{}"}}]}"#
        ),
        (
            ChatMessage.Tool(content: "7", toolCallId: "1"), #"{"role":"tool","content":"7","tool_call_id":"1"}"#
        ),
    ]

    @Test(arguments: messages.indices)
    func `Messages are written in OpenAI's format`(index: Int) {
        let (message, text) = Self.messages[index]
        #expect(message.json.text() == text)
    }

    @Test func `A message can be cast to its kind`() {
        let message: any ChatMessage = ChatMessage.User(parts: [.text("a"), .imageURL("http://x/y.png"), .text("b")])
        #expect((message as? ChatMessage.User)?.content == "ab")
        #expect(message as? ChatMessage.System == nil)
    }

    @Test func `All provider preferences are written`() {
        let preferences = ProviderPreferences(
            order: ["a"], allowFallbacks: true, requireParameters: true, dataCollection: "deny", only: ["b"],
            ignore: ["c"], quantizations: ["fp8"], sort: "price")
        let text =
            #"{"order":["a"],"allow_fallbacks":true,"require_parameters":true,"data_collection":"deny","#
            + #""only":["b"],"ignore":["c"],"quantizations":["fp8"],"sort":"price"}"#
        #expect(preferences.json.text() == text)
    }
}
