import LeapChat
import LeapJSON
import OrderedCollections

/// Definitions of functions as a template takes them.
enum ToolDefinitions {
    /// The definitions; functions without a description get an empty one if the template fails without it.
    ///
    /// A description is optional, but templates such as gpt-oss' add it to texts without looking whether it is there.
    static func fitted(_ tools: [JSONValue], to template: ChatTemplate) -> [JSONValue] {
        let described = tools.map(described)
        guard described != tools, !takes(tools, template), takes(described, template) else { return tools }
        return described
    }

    private static func takes(_ tools: [JSONValue], _ template: ChatTemplate) -> Bool {
        (try? template.render(messages: [["role": "user", "content": "x"]], tools: tools)) != nil
    }

    private static func described(_ tool: JSONValue) -> JSONValue {
        guard var members = tool.object, var function = members["function"]?.object, function["description"] == nil
        else { return tool }
        // Where OpenAI's form has it: after the name.
        function.updateValue("", forKey: "description", insertingAt: min(1, function.count))
        members["function"] = .object(function)
        return .object(members)
    }
}
