import LeapConstraints
import LeapEngine
import LeapJSON

/// vLLM's fields for the form of an answer: `structured_outputs`, and those that it had before; and SGLang's.
///
/// Sources: vLLM's documentation, Structured Outputs; SGLang's documentation, Structured Outputs.
enum GuidedOutput {
    private static let outputs = Field.object(
        "structured_outputs", "vLLM: json, regex, choice, grammar or json_object for the whole answer")
    private static let json = Field.any("guided_json", "vLLM: a JSON Schema for the answer, as an object or as text")
    private static let regex = Field.string("guided_regex", "vLLM: a regular expression that the whole answer matches")
    private static let choice = Field.array("guided_choice", "vLLM: texts, one of which is the answer")
    private static let grammar = Field.string("guided_grammar", "vLLM: a grammar for the answer, in GBNF")
    private static let sglangRegex = Field.string("regex", "SGLang: a regular expression that the whole answer matches")
    private static let sglangGrammar = Field.string("ebnf", "SGLang: a grammar for the answer, in GBNF")

    /// All fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [outputs, json, regex, choice, grammar, sglangRegex, sglangGrammar]

    /// For endpoints that these servers do not have.
    static let refused = fields.dropFirst().map(\.name).map {
        UnsupportedField($0, "is not supported here: use /v1/chat/completions or /v1/completions")
    }

    /// The name of the outer field.
    static let name = outputs.name

    /// The members of ``outputs`` that say what the answer is.
    private enum Member: String, CaseIterable { case json, regex, choice, grammar, jsonObject = "json_object" }

    /// Constrains an answer as the fields say.
    static func constrain(_ options: inout AnswerOptions, _ fields: FieldReader) throws(APIError) {
        if let members = try fields(outputs) {
            let path = fields.path + outputs.name
            for member in Member.allCases {
                guard let value = members[member.rawValue], value != .null else { continue }
                try constrain(&options, member, value, "\(path).\(member.rawValue)")
            }
            if let kind = members["structural_tag"], kind != .null {
                throw .invalid("\(path).structural_tag", "is not supported: use 'tools', or a grammar")
            }
        }
        let others: [(Member, JSONValue?, String)] = [
            (.json, try fields(json), json.name), (.regex, try fields(regex).map { .string($0) }, regex.name),
            (.choice, try fields(choice).map { .array($0) }, choice.name),
            (.grammar, try fields(grammar).map { .string($0) }, grammar.name),
            (.regex, try fields(sglangRegex).map { .string($0) }, sglangRegex.name),
            (.grammar, try fields(sglangGrammar).map { .string($0) }, sglangGrammar.name),
        ]
        for (member, value, name) in others {
            if let value { try constrain(&options, member, value, fields.path + name) }
        }
    }

    private static func constrain(
        _ options: inout AnswerOptions, _ member: Member, _ value: JSONValue, _ path: String
    ) throws(APIError) {
        if member == .jsonObject, value == false { return }
        try GenerationFields.refuseSecondConstraint(options, path)
        func text(_ expected: String) throws(APIError) -> String {
            guard let text = value.string else { throw .expected(expected, at: path, found: value) }
            return text
        }
        switch member {
        case .json:
            guard let schema = value.string ?? (value.object != nil ? value.text() : nil) else {
                throw .expected("a JSON Schema", at: path, found: value)
            }
            options.constraint = .jsonSchema(schema)
        case .jsonObject:
            try ChatCompletionRequest.constrain(&options, ["type": "json_object"], path: path)
        case .regex: options.constraint = .regex(try text("a regular expression"))
        case .grammar: options.constraint = .grammar(try text("a grammar"))
        case .choice:
            let texts = value.array?.compactMap(\.string) ?? []
            guard !texts.isEmpty, texts.count == value.array?.count else {
                throw .expected("an array of strings", at: path, found: value)
            }
            options.constraint = .pattern(.choice(texts.map { .text($0) }), [], spelling: .json)
        }
    }
}
