import Foundation
import LeapJSON
import LeapSDK
import Testing

@Suite("Chat message")
struct ChatMessageTests {
    private static let messages = [
        ChatMessage(role: .user, textContent: "Grüße \"you\"\n"),
        ChatMessage(role: .system, content: []),
        ChatMessage(role: .user, content: .text("one part")),
        ChatMessage(
            role: .user, content: [.text("Look: "), .image(Data([0xFF, 0xD8, 0])), .audio(Data("RIFF".utf8))]),
        ChatMessage(role: .assistant, content: [.text("Yes.")], reasoningContent: "Hm."),
        ChatMessage(
            role: .assistant, content: [],
            functionCalls: [
                LeapFunctionCall(name: "f", argumentsJSON: ["a": "x", "n": 5, "d": 0.5, "ok": true, "none": nil]),
                LeapFunctionCall(name: "g", argumentsJSON: ["list": [1, [2, "three"]], "o": ["k": nil]]),
            ]),
        ChatMessage(role: .tool, textContent: "{\"temperature\": 21}"),
    ]

    @Test("a message round-trips through JSON", arguments: messages)
    func roundTrip(_ message: ChatMessage) throws {
        #expect(try ChatMessage(from: message.dictionary) == message)
        let serialized = try JSONSerialization.data(withJSONObject: message.dictionary)
        let parsed = try #require(try JSONSerialization.jsonObject(with: serialized) as? [String: Any])
        #expect(try ChatMessage(from: parsed) == message)
        #expect(try JSONDecoder().decode(ChatMessage.self, from: JSONEncoder().encode(message)) == message)
        #expect(try ChatMessage(json: message.json) == message)
    }

    @Test("a message is written in the format of OpenAI's chat completions")
    func shape() {
        let message = ChatMessage(
            role: .assistant, content: [.text("Hi"), .image(Data([1, 2, 3])), .audio(Data([4]))],
            reasoningContent: "Hm.", functionCalls: [LeapFunctionCall(name: "f", argumentsJSON: ["city": "Köln"])])
        let expected =
            #"{"role":"assistant","content":[{"type":"text","text":"Hi"},"#
            + #"{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AQID"}},"#
            + #"{"type":"input_audio","input_audio":{"data":"BA==","format":"wav"}}],"reasoning_content":"Hm.","#
            + #""tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\"city\":\"Köln\"}"}}]}"#
        #expect(message.json.text() == expected)
    }

    @Test(
        "audio formats and image URLs are written to JSON and read back",
        arguments: [
            (Array("ID3".utf8), "mp3"), ([0xFF, 0xFB, 0x90], "mp3"), (Array("fLaC".utf8), "flac"),
            (Array("OggS".utf8), "ogg"), ([0xFF, 0xF1, 0x50], "wav"), ([0xFF], "wav"), ([], "wav"),
        ] as [([UInt8], String)])
    func formats(bytes: [UInt8], name: String) throws {
        let message = ChatMessage(
            role: .user, content: [.audio(data: Data(bytes)), .image(url: "https://example.com/cat.jpg")])
        let parts = try #require(message.json["content"]?.array)
        #expect(parts[0]["input_audio"]?["format"]?.string == name)
        #expect(parts[1]["image_url"]?["url"]?.string == "https://example.com/cat.jpg")
        #expect(try ChatMessage(json: message.json) == message)
    }

    @Test("content may be a string, null or missing, an image a URL string, a call flat with object arguments")
    func lenientReading() throws {
        #expect(
            try ChatMessage(from: ["role": "user", "content": "Hi"]) == ChatMessage(role: .user, textContent: "Hi"))
        #expect(try ChatMessage(from: ["role": "user"]).content.isEmpty)
        #expect(try ChatMessage(from: ["role": "developer"]).role == .system)
        let picture: [String: Any] = ["type": "image_url", "image_url": "data:image/png;base64,iVA="]
        #expect(try ChatMessageContent(from: picture) == .image(Data([0x89, 0x50])))
        let json: [String: Any] = [
            "role": "assistant", "content": NSNull(), "reasoning_content": NSNull(),
            "tool_calls": [["name": "f", "arguments": ["n": 1, "b": false]]],
        ]
        let message = try ChatMessage(from: json)
        #expect(message.content.isEmpty && message.reasoningContent == nil)
        #expect(message.functionCalls == [LeapFunctionCall(name: "f", argumentsJSON: ["b": false, "n": 1])])
    }

    @Test("a call's arguments may be missing, null or empty", arguments: ["", "null", " ", "{}"])
    func noArguments(text: String) throws {
        let expected = LeapFunctionCall(name: "f", argumentsJSON: [:])
        #expect(try LeapFunctionCall(json: ["name": "f", "arguments": .string(text)]) == expected)
        #expect(try LeapFunctionCall(json: ["name": "f", "arguments": nil]) == expected)
        #expect(try LeapFunctionCall(json: ["name": "f"]) == expected)
    }

    private static let malformed: [(json: String, text: String)] = [
        ("[]", "a message must be an object, found []"),
        ("{}", "a message's 'role' must be one of 'user', 'system', 'assistant', 'tool', found nothing"),
        (
            #"{"role": "robot"}"#,
            "a message's 'role' must be one of 'user', 'system', 'assistant', 'tool', found \"robot\""
        ),
        (
            #"{"role": "user", "content": 3}"#,
            "a message's 'content' must be a string or an array of parts, found 3"
        ),
        (
            #"{"role": "user", "content": [{"type": "video"}]}"#,
            "a content part's 'type' must be 'text', 'image_url', 'input_audio' or 'audio_pcm_f32', found \"video\""
        ),
        (
            #"{"role": "user", "content": [{"type": "text", "text": 1}]}"#,
            "a text part's 'text' must be a string, found 1"
        ),
        (
            #"{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}]}"#,
            "an image part's 'url' must be 'data:image/jpeg;base64,' followed by base64, or the same with 'image/png' or 'image/webp', found \"file:///etc/passwd\""
        ),
        (
            #"{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AA==", "format": "aac"}}]}"#,
            #"an audio part must be base64 'data' in a 'format' of "wav", "mp3", "flac", "ogg", found {"data":"AA==","format":"aac"}"#
        ),
        (
            #"{"role": "user", "reasoning_content": []}"#,
            "a message's 'reasoning_content' must be a string, found []"
        ),
        (
            #"{"role": "user", "tool_calls": {}}"#,
            "a message's 'tool_calls' must be an array of function calls, found {}"
        ),
        (
            #"{"role": "user", "tool_calls": [{"function": {}}]}"#,
            "a function call's 'name' must be a string, found nothing"
        ),
        (
            #"{"role": "user", "tool_calls": [{"name": "f", "arguments": 1}]}"#,
            "the arguments of function call 'f' must be a JSON object, found 1"
        ),
        (
            #"{"role": "user", "tool_calls": [{"name": "f", "arguments": "\"x\""}]}"#,
            #"the arguments of function call 'f' must be a JSON object, found "\"x\"""#
        ),
    ]

    @Test("a malformed message is rejected with the name of the field", arguments: malformed)
    func refused(json: String, text: String) throws {
        #expect {
            try JSONDecoder().decode(ChatMessage.self, from: Data(json.utf8))
        } throws: {
            "\($0)" == "the JSON cannot be used: \(text)" && $0.localizedDescription == "\($0)"
        }
    }

    @Test("arguments that are not JSON, and values that JSON cannot express, are rejected")
    func unusableValues() {
        #expect {
            try ChatMessage(from: ["role": "user", "tool_calls": [["name": "f", "arguments": "{"]]])
        } throws: {
            "\($0)".hasPrefix("the JSON cannot be used: the arguments of function call 'f' are not valid JSON: ")
        }
        #expect {
            try LeapFunctionCall(name: "f", arguments: ["at": Date()])
        } throws: {
            "\($0)" == "the JSON cannot be used: a value of type Date cannot be encoded as JSON"
        }
    }

    @Test("an error quotes only part of a long invalid value")
    func excerpt() {
        #expect {
            try ChatMessage(from: ["role": String(repeating: "x", count: 10_000)])
        } throws: {
            "\($0)".count < 300
        }
    }

    @Test("a call's arguments are plain Swift values")
    func arguments() throws {
        let call = try LeapFunctionCall(
            name: "f", arguments: ["s": "x", "i": 3, "d": 0.5, "b": true, "n": NSNull(), "a": [1], "o": ["k": "v"]])
        #expect(call.arguments["s"] as? String == "x")
        #expect(call.arguments["i"] as? Int == 3)
        #expect(call.arguments["d"] as? Double == 0.5)
        #expect(call.arguments["b"] as? Bool == true)
        #expect(call.arguments["n"] is NSNull)
        #expect(call.arguments["a"] as? [Int] == [1])
        #expect(call.arguments["o"] as? [String: String] == ["k": "v"])
        #expect(call.argumentsJSON.text() == #"{"a":[1],"b":true,"d":0.5,"i":3,"n":null,"o":{"k":"v"},"s":"x"}"#)
    }

    @Test("a number can be cast to every type that can represent it, and a boolean is not a number")
    func numbers() throws {
        let call = LeapFunctionCall(
            name: "f",
            argumentsJSON: [
                "whole": 5, "real": 2.5, "zero": 5.0, "list": [1, 2.5], "ints": [1, 2], "one": 1, "yes": true,
            ])
        let arguments = call.arguments
        #expect(arguments["whole"] as? Double == 5 && arguments["whole"] as? Int == 5 && arguments["whole"] is Int)
        #expect(arguments["real"] as? Double == 2.5 && arguments["real"] as? Int == nil)
        #expect(arguments["zero"] as? Int == 5 && arguments["zero"] as? Double == 5)
        #expect(arguments["list"] as? [Double] == [1, 2.5] && arguments["list"] as? [Int] == nil)
        #expect(arguments["ints"] as? [Double] == [1, 2] && arguments["ints"] as? [Int] == [1, 2])
        #expect(arguments["yes"] as? Bool == true && arguments["yes"] as? Int == nil)
        let again = try LeapFunctionCall(name: "f", arguments: arguments)
        #expect(again.argumentsJSON["one"] == 1 && again.argumentsJSON["zero"] == 5.0)
        #expect(again.argumentsJSON["yes"] == true)
    }

    @Test("arguments may be Substring and CGFloat values, but not NaN")
    func otherValues() throws {
        let call = try LeapFunctionCall(name: "f", arguments: ["city": "Paris!".dropLast(), "width": CGFloat(2.5)])
        #expect(call.argumentsJSON == ["city": "Paris", "width": 2.5])
        #expect(throws: LeapError.self) { try LeapFunctionCall(name: "f", arguments: ["width": CGFloat.nan]) }
    }

    @Test("an export gives calls and their results matching ids by position")
    func callNames() async throws {
        func call(_ name: String) -> LeapFunctionCall { LeapFunctionCall(name: name, argumentsJSON: [:]) }
        let history = [
            ChatMessage(role: .tool, textContent: "nobody asked"),
            ChatMessage(role: .assistant, content: [], functionCalls: [call("f"), call("g")]),
            ChatMessage(role: .tool, textContent: "1"), ChatMessage(role: .tool, textContent: "2"),
            ChatMessage(role: .tool, textContent: "more"), ChatMessage(role: .user, textContent: "Thanks"),
        ]
        let conversation = try await load().createConversationFromHistory(history: history)
        let text: String = conversation.exportToJSON()
        let messages = try #require(try JSONValue(parsing: text).array)
        #expect(messages[1]["tool_calls"]?.array?.map { $0["id"] } == ["call_1_0", "call_1_1"])
        #expect(messages[1]["tool_calls"]?.array?.first?["function"] == ["name": "f", "arguments": "{}"])
        #expect(messages.map { $0["tool_call_id"] } == [nil, nil, "call_1_0", "call_1_1", "call_1_1", nil])
        let dictionaries: [[String: Any]] = try conversation.exportToJSON()
        #expect(dictionaries[2]["tool_call_id"] as? String == "call_1_0")
        #expect(try dictionaries.map { try ChatMessage(from: $0) } == history)
    }

    @Test("a history is exported as dictionaries or as text")
    func export() async throws {
        let conversation = try await load().createConversationFromHistory(
            history: [ChatMessage(role: .user, textContent: "Hi")])
        let dictionaries = try conversation.exportToJSON()
        #expect(JSONSerialization.isValidJSONObject(dictionaries) && dictionaries.count == 1)
        let text: String = conversation.exportToJSON()
        #expect(text == #"[{"role":"user","content":[{"type":"text","text":"Hi"}]}]"#)
    }

    @Test("an application may edit the history")
    func editing() async throws {
        let conversation = try await load().createConversation()
        conversation.removeLastMessage()
        conversation.appendToHistory(ChatMessage(role: .user, textContent: "a"))
        conversation.appendToHistory(message: ChatMessage(role: .user, textContent: "b"))
        conversation.removeLastMessage()
        #expect(conversation.history.map(\.text) == ["a"])
    }
}
