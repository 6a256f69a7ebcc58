import LeapEngine
import LeapJSON
import OrderedCollections

/// Reads the functions that a model may call, and the tool choice.
struct ToolReader {
    /// The functions.
    private(set) var tools: [Tool] = []
    /// The tool call that the answer must be.
    private(set) var forcedCall: ForcedCall?

    /// The most functions of a request.
    private static let limit = 128
    /// The most characters of a function's name at OpenAI.
    static let nameLimit = 64
    /// The same at Anthropic.
    static let longNameLimit = 128

    /// - Parameters:
    ///   - definitions: `{"type": "function", "function": {…}}`, or flat as in responses.
    ///   - choice: `auto`, `none`, `required`, a function by name, or some allowed ones.
    ///   - places: The definitions' indices in the request, if there are others between them.
    ///   - nameLimit: The maximum length of a function's name, which consists of letters, digits, `_` and `-`; `nil` if
    ///     the dialect has no such rule.
    init(
        definitions: [JSONValue], choice: JSONValue?, path: String = "tools", places: [Int]? = nil,
        nameLimit: Int? = nameLimit
    ) throws(APIError) {
        guard definitions.count <= Self.limit else {
            throw .invalid(path, "has \(definitions.count) functions, but at most \(Self.limit) are allowed")
        }
        var names: Set<String> = []
        for (place, definition) in zip(places ?? Array(definitions.indices), definitions) {
            let tool = try Self.tool(definition, path: "\(path)[\(place)]", nameLimit)
            guard names.insert(tool.name).inserted else {
                throw .invalid(
                    "\(path)[\(place)]", "has the same name '\(tool.name)' as another function: rename one of them")
            }
            tools.append(tool)
        }
        try choose(choice)
    }

    private static func tool(_ json: JSONValue, path: String, _ nameLimit: Int?) throws(APIError) -> Tool {
        guard json.object != nil else { throw .expected("an object", at: path, found: json) }
        if let type = json["type"], type.string != "function" {
            throw .expected("'function'", at: path + ".type", found: type)
        }
        let tool: Tool
        do throws(EngineError) { tool = try Tool(json: json) } catch {
            throw .invalid(path, "is not a valid function: \(error)")
        }
        if let properties = tool.json["function"]?["parameters"]?["properties"], properties != .null,
            properties.object == nil
        {
            throw .invalid(
                path, "has parameters whose 'properties' must be an object, found \(properties.text().prefix(60))")
        }
        guard let nameLimit else { return tool }
        guard tool.name.utf8.count <= nameLimit, tool.name.utf8.allSatisfy(\.isNamePart) else {
            throw .invalid(
                path,
                "has the name '\(tool.name.prefix(80))', but names must consist of 1 to \(nameLimit) letters, "
                    + "digits, '_' and '-'"
            )
        }
        return tool
    }

    /// Types of tools that a request may choose by name.
    private static let functionTypes: [JSONValue] = ["function", "custom"]

    private mutating func choose(_ choice: JSONValue?) throws(APIError) {
        switch choice {
        case nil, .null, "auto": return
        case "none": tools = []
        case "required", "any": try force(tools)
        case .object(let members):
            if members["type"] == "allowed_tools" { return try allow(members["allowed_tools"] ?? .object(members)) }
            guard members["type"].map(Self.functionTypes.contains) ?? true,
                let name = (members["function"] ?? members["custom"] ?? .object(members))["name"]?.string
            else { throw Self.unknown(choice) }
            try force([try named(name)])
        default: throw Self.unknown(choice)
        }
    }

    private mutating func allow(_ json: JSONValue) throws(APIError) {
        let mode = json["mode"] ?? "auto"
        guard mode == "auto" || mode == "required" else {
            throw .expected("'auto' or 'required'", at: "tool_choice.mode", found: mode)
        }
        guard let choices = json["tools"]?.array else {
            throw .expected("an array of functions", at: "tool_choice.tools", found: json["tools"] ?? .null)
        }
        var allowed: [Tool] = []
        for tool in choices {
            guard let name = (tool["function"] ?? tool)["name"]?.string else { throw Self.unknown(json) }
            allowed.append(try named(name))
        }
        tools = allowed
        if mode == "required" { try force(allowed) }
    }

    private mutating func force(_ tools: [Tool]) throws(APIError) {
        guard !tools.isEmpty else { throw .invalid("tool_choice", "requires a tool call, but there are no tools") }
        forcedCall = ForcedCall(tools: tools)
    }

    private func named(_ name: String) throws(APIError) -> Tool {
        guard let tool = tools.first(where: { $0.name == name }) else {
            let names = tools.map { "'\($0.name)'" }.joined(separator: ", ")
            throw .invalid(
                "tool_choice", "names '\(name)', which is not among the tools: \(names.isEmpty ? "none" : names)")
        }
        return tool
    }

    private static func unknown(_ choice: JSONValue?) -> APIError {
        .expected(
            "'auto', 'none', 'required' or an object that names a function", at: "tool_choice", found: choice ?? .null)
    }
}

extension UInt8 {
    /// Whether a function's name may contain this character.
    fileprivate var isNamePart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
