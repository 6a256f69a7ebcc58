#if Server
import LeapChat
import LeapEngine
import LeapJSON
import OrderedCollections
import Testing

@testable import LeapServer

@Suite("Messages of chat completions")
struct MessageReaderTests {
    private func message(_ json: String) throws -> Message {
        try MessageReader.message(JSONValue(parsing: json), path: "messages[0]")
    }

    @Test("consecutive texts of a message are lines of one text, and pictures stay between others")
    func texts() throws {
        let texts = #"{"type": "text", "text": "a"}, {"type": "text", "text": "b"}"#
        #expect(try message(#"{"role": "user", "content": [\#(texts)]}"#).parts == [.text("a\nb")])
        let url = "data:image/png;base64,iVBORw0KGgo="
        let picture = #"{"type": "image_url", "image_url": {"url": "\#(url)"}}"#
        let parts = try message(#"{"role": "user", "content": [\#(texts), \#(picture), \#(texts)]}"#).parts
        #expect(parts == [.text("a\nb"), .picture(try Picture(url: url, field: "url")), .text("a\nb")])
        let output = try JSONValue(parsing: "[\(texts)]")
        #expect(try MessageReader.text(output, path: "output") == "a\nb")
    }

    @Test("calls of older requests and of custom tools are read with their input")
    func otherCalls() throws {
        let old = #"{"name": "get_weather", "arguments": "{\"city\": \"Rome\"}"}"#
        let call = ToolCall(name: "get_weather", arguments: ["city": "Rome"])
        #expect(try message(#"{"role": "assistant", "content": null, "function_call": \#(old)}"#).calls == [call])
        let custom = #"{"type": "custom", "id": "c", "custom": {"name": "shell", "input": "ls -la"}}"#
        let calls = try message(#"{"role": "assistant", "content": "", "tool_calls": [\#(custom)]}"#).calls
        #expect(calls == [ToolCall(name: "shell", arguments: ["input": "ls -la"], id: "c")])
        let dumped = #"{"id": "c", "function": {"name": "f", "arguments": "{}"}, "custom": null}"#
        let message = try message(#"{"role": "assistant", "function_call": null, "tool_calls": [\#(dumped)]}"#)
        #expect(message.calls == [ToolCall(name: "f", arguments: [:], id: "c")])
    }

    @Test(
        "calls of older requests need a name, and those of custom tools an input",
        arguments: [
            #""function_call": {"arguments": "{}"}"#,
            #""tool_calls": [{"type": "custom", "custom": {"name": "shell"}}]"#,
        ])
    func incompleteCalls(_ field: String) {
        #expect(throws: APIError.self) { try message(#"{"role": "assistant", \#(field)}"#) }
    }

    @Test("reasoning is read by any of its names", arguments: ["reasoning_content", "thinking", "reasoning"])
    func reasoning(_ name: String) throws {
        #expect(try message(#"{"role": "assistant", "content": "a", "\#(name)": "r"}"#).reasoning == "r")
        #expect(try message(#"{"role": "assistant", "\#(name)": "r"}"#).parts.isEmpty)
    }

    @Test("if reasoning has several names, transformers' order decides, and what is no text is ignored")
    func reasoningNames() throws {
        let names = #""reasoning": "c", "thinking": "b", "reasoning_content": null"#
        #expect(try message(#"{"role": "assistant", "content": "a", \#(names)}"#).reasoning == "b")
        #expect(try message(#"{"role": "user", "content": "a", "reasoning": {"effort": "low"}}"#).reasoning == nil)
    }
}
#endif
