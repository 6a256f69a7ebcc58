import LeapChat
import LeapJSON
import Testing

@testable import LeapEngine

@Suite("Tool definitions in prompts")
struct ToolDefinitionsTests {
    private static let tools: [JSONValue] = [
        ["type": "function", "function": ["name": "now", "parameters": [:]]],
        ["type": "function", "function": ["name": "add", "description": "Adds.", "parameters": [:]]],
    ]

    private static func prompt(_ source: String) throws -> String {
        let template = try ChatTemplate(source: source)
        return try template.render(messages: [], tools: ToolDefinitions.fitted(tools, to: template))
    }

    @Test("a template that concatenates descriptions gets empty ones for tools without any")
    func missingDescription() throws {
        let source = "{% for t in tools %}{{ t.function.name + ':' + t.function.description }};{% endfor %}"
        #expect(try Self.prompt(source) == "now:;add:Adds.;")
        let printing = "{% for t in tools %}{{ '' + t.function.description + (t.function | tojson) }}{% endfor %}"
        #expect(try Self.prompt(printing).hasPrefix(#"{"name": "now", "description": "", "parameters": {}}"#))
    }

    @Test("other templates get the definitions unchanged", arguments: ["", "{{ missing.member }}"])
    func asTheyAre(_ failing: String) throws {
        let template = try ChatTemplate(source: "{{ tools | tojson }}" + failing)
        #expect(ToolDefinitions.fitted(Self.tools, to: template) == Self.tools)
    }
}
