import LeapChat
import LeapJSON
import Testing

@testable import LeapEngine

@Suite("Definitions of functions in prompts")
struct ToolDefinitionsTests {
    private static let tools: [JSONValue] = [
        ["type": "function", "function": ["name": "now", "parameters": [:]]],
        ["type": "function", "function": ["name": "add", "description": "Adds.", "parameters": [:]]],
    ]

    private static func prompt(_ source: String) throws -> String {
        let template = try ChatTemplate(source: source)
        return try template.render(messages: [], tools: ToolDefinitions.fitted(tools, to: template))
    }

    @Test("a template that adds descriptions to texts gets empty ones where there are none")
    func missingDescription() throws {
        let source = "{% for t in tools %}{{ t.function.name + ':' + t.function.description }};{% endfor %}"
        #expect(try Self.prompt(source) == "now:;add:Adds.;")
        let printing = "{% for t in tools %}{{ '' + t.function.description + (t.function | tojson) }}{% endfor %}"
        #expect(try Self.prompt(printing).hasPrefix(#"{"name": "now", "description": "", "parameters": {}}"#))
    }

    @Test("others get definitions as they are", arguments: ["", "{{ missing.member }}"])
    func asTheyAre(_ failing: String) throws {
        let template = try ChatTemplate(source: "{{ tools | tojson }}" + failing)
        #expect(ToolDefinitions.fitted(Self.tools, to: template) == Self.tools)
    }
}
