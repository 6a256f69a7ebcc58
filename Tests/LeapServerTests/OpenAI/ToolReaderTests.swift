import LeapEngine
import LeapJSON
import Testing

@testable import LeapServer

@Suite("Tools and tool_choice")
struct ToolReaderTests {
    private static func read(_ choice: String, parameters: String = "{}") throws -> ToolReader {
        let tool = "{\"type\": \"function\", \"function\": {\"name\": \"f\", \"parameters\": \(parameters)}}"
        return try ToolReader(
            definitions: [try JSONValue(parsing: tool)], choice: try JSONValue(parsing: choice))
    }

    /// The `param` of the error that a request is refused with.
    private static func blamed(_ read: () throws -> ToolReader) -> String? {
        do { _ = try read() } catch { return (error as? APIError)?.param }
        return nil
    }

    @Test(
        "an unknown tool_choice is refused",
        arguments: [
            ("{\"type\": \"foo\"}", "tool_choice"), ("{\"type\": \"foo\", \"name\": \"f\"}", "tool_choice"),
            ("{\"type\": \"foo\", \"function\": {\"name\": \"f\"}}", "tool_choice"), ("\"foo\"", "tool_choice"),
            (
                "{\"type\": \"allowed_tools\", \"allowed_tools\": {\"mode\": \"foo\", \"tools\": []}}",
                "tool_choice.mode"
            ),
            ("{\"type\": \"allowed_tools\", \"mode\": \"auto\", \"tools\": \"f\"}", "tool_choice.tools"),
        ])
    func unknown(_ choice: String, _ field: String) {
        #expect(Self.blamed { try Self.read(choice) } == field)
    }

    @Test(
        "a function can be chosen in the formats of Chat Completions and of Responses",
        arguments: [
            "{\"type\": \"function\", \"function\": {\"name\": \"f\"}}", "{\"type\": \"function\", \"name\": \"f\"}",
            "{\"type\": \"custom\", \"custom\": {\"name\": \"f\"}}", "{\"function\": {\"name\": \"f\"}}",
            "{\"type\": \"allowed_tools\", \"mode\": \"required\", \"tools\": [{\"type\": \"function\", \"name\": \"f\"}]}",
        ])
    func known(_ choice: String) throws {
        #expect(try Self.read(choice).forcedCall?.tools.map(\.name) == ["f"])
    }

    @Test("null members count as absent")
    func nulls() throws {
        let json = #"{"type": "function", "function": {"name": "f", "description": null, "parameters": null}}"#
        let tools = try ToolReader(definitions: [try JSONValue(parsing: json)], choice: nil).tools
        #expect(
            tools.first?.json == [
                "type": "function",
                "function": ["name": "f", "parameters": ["type": "object", "properties": [:]]],
            ])
    }

    @Test("the properties of parameters must be an object", arguments: ["5", "[]", "\"a\""])
    func properties(_ value: String) throws {
        let parameters = "{\"type\": \"object\", \"properties\": \(value)}"
        #expect(Self.blamed { try Self.read("\"auto\"", parameters: parameters) } == "tools[0]")
        _ = try Self.read("\"auto\"", parameters: "{\"type\": \"object\", \"properties\": {}}")
    }
}
