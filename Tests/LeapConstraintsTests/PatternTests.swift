import LeapConstraints
import LeapJSON
import Testing
import _LeapTestSupport

/// Constraints that are composed of texts, tokens and documents under schemas.
@Suite struct PatternTests {
    private static func constraint(
        _ pattern: ConstraintPattern, _ schemas: [String], python: Bool = false
    ) throws -> Constraint {
        var reading = SchemaReading.generation
        reading.isOneLine = true
        reading.spelling = python ? .python : .json
        let named = schemas.enumerated().map { NamedSchema("s\($0)", $1) }
        return try Constraint(pattern: pattern, schemas: named, reading: reading)
    }

    private static let weather = """
        {"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},"dry":{"type":["boolean","null"]}},\
        "required":["days"]}
        """

    static let keywordCases = [
        SchemaTests.Case(
            schema: weather,
            valid: [
                #"(days=3)"#, #"(city="Paris", days=3)"#, #"(city="a",days=3, dry=True)"#, "(days=-1, dry=None)",
                #"(city="a\n\"\u00e9\"", days=0)"#,
            ],
            invalid: [
                "()", "(city=\"a\")", "(days=3, city=\"a\")", "(days=3,)", "(days=true)", "(days=3, dry=true)",
                "(days=3, days=3)", "( days=3)", "(days=3, x=1)", #"(city="a\/b", days=3)"#,
            ]),
        SchemaTests.Case(schema: #"{"type":"object","properties":{}}"#, valid: ["()"], invalid: ["(a=1)", "(**{})"]),
        SchemaTests.Case(
            schema: #"{"type":"object"}"#, valid: ["()", #"(**{"a": True})"#], invalid: ["(a=1)", "(**{)"]),
        SchemaTests.Case(
            schema: #"{"properties":{"a":{},"b":{}},"additionalProperties":true}"#,
            valid: ["()", "(a=1)", "(b=[None])", #"(a={"x": False}, b="")"#], invalid: ["(c=1)", "(b=1, a=1)"]),
        // Arguments that keywords cannot express are passed in a dictionary.
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"the city":{"type":"integer"}},"required":["the city"]}"#,
            valid: [#"(**{"the city": 1})"#], invalid: ["()", "(the city=1)", "(**{})"]),
        SchemaTests.Case(
            schema:
                #"{"anyOf":[{"type":"object","properties":{"a":{"const":true}},"required":["a"]},{"type":"object","properties":{"b":{}},"required":["b"]}]}"#,
            valid: [#"(**{"a": True})"#, #"(**{"b": []})"#], invalid: ["(a=True)", "(**{})"]),
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":{"type":"null"}}"#,
            valid: [#"(**{"n": 1, "x": None})"#, "(**{})"], invalid: ["(n=1)", "(**{\"x\": 1})"]),
        // Keywords that are judged on whole values.
        SchemaTests.Case(
            schema:
                #"{"type":"object","properties":{"a":{"type":"array","items":{"type":["boolean","null","string"]},"uniqueItems":true}},"required":["a"]}"#,
            valid: ["(a=[True, False, None])", #"(a=["True", True])"#, #"(a=["\"True", "\\"])"#],
            invalid: ["(a=[True, True])", #"(a=["a", "\u0061"])"#]),
        SchemaTests.Case(
            schema:
                #"{"type":"object","properties":{"a":{"type":"array","contains":{"const":true}}},"required":["a"]}"#,
            valid: ["(a=[False, True])"], invalid: ["(a=[])", "(a=[False])"]),
        SchemaTests.Case(
            schema: ##"{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"enum":[null,"u"]}}}"##,
            valid: ["(a=None)", "(a=\"u\")", "()"], invalid: ["(a=null)", "(a=1)"]),
    ]

    @Test(arguments: keywordCases)
    func `keyword arguments of a Python call satisfy the function's schema`(test: SchemaTests.Case) throws {
        let constraint = try Self.constraint(.keywordArguments(0), [test.schema], python: true)
        for text in test.valid { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in test.invalid { #expect(rejection(of: text, by: constraint) != nil, "\(text)") }
    }

    @Test(arguments: keywordCases, 0..<6 as Range<UInt64>)
    func `masks for Python calls lead to no dead end and permit no escaped slash`(
        test: SchemaTests.Case, seed: UInt64
    ) throws {
        var generator = SeededRandomNumberGenerator(seed: seed)
        let pieces = ["\\/", "a\\/\"", "True", "None", "(", ")", "(**{\"", "=", ", "]
        let texts =
            (0...254).map { [UInt8($0)] } + pieces.map { Array($0.utf8) } + [[]]
        let vocabulary = TokenVocabulary(texts: texts, endTokens: [Int32(texts.count - 1)])
        let constraint = try Self.constraint(.keywordArguments(0), [test.schema], python: true)
        let walk = RandomWalk(constraint, vocabulary, tokens: 60, using: &generator)
        #expect(walk.fault == nil)
        #expect(!String(decoding: walk.text, as: UTF8.self).replacing("\\\\", with: "").contains("\\/"))
    }

    @Test func `references resolve within their own schema, and each schema may declare its own version`() throws {
        let schemas = [
            ##"{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"x":{"type":"integer"}},"items":[{"$ref":"#/definitions/x"}],"type":"array","minItems":1,"additionalItems":false}"##,
            ##"{"$defs":{"x":{"type":"boolean"}},"type":"array","prefixItems":[{"$ref":"#/$defs/x"}],"minItems":1,"items":false}"##,
        ]
        let constraint = try Self.constraint(
            .sequence([.document(0), .text("|"), .document(1), .text("|"), .document(0)]), schemas)
        #expect(rejection(of: "[1]|[true]|[2]", by: constraint) == nil)
        #expect(rejection(of: "[true]|[true]|[2]", by: constraint) == 1)
        #expect(rejection(of: "[1]|[1]|[2]", by: constraint) == 5)
    }

    @Test func `sequences, choices and repetitions are enforced`() throws {
        let round = ConstraintPattern.sequence([.text("<"), .choice([.document(0), .text("no")]), .text(">")])
        let constraint = try Self.constraint(.repetition(round, minimum: 1, maximum: 2), [#"{"enum":["a",null]}"#])
        for text in ["<\"a\">", "<null><no>"] { #expect(rejection(of: text, by: constraint) == nil) }
        for text in ["", "<a>", "<no><no><no>", "<no", "<null>x"] {
            #expect(rejection(of: text, by: constraint) != nil)
        }
    }

    @Test func `hidden tokens are permitted only where the pattern has them, and no text spells them`() throws {
        let constraint = try Self.constraint(
            .sequence([.hiddenToken(3), .document(0), .hiddenToken(1)]), [#"{"type":"string"}"#])
        let texts: [[UInt8]] = [
            [0x22], TokenVocabulary.bytes(ofHidden: 1), [0x61], TokenVocabulary.bytes(ofHidden: 3), [],
        ]
        let vocabulary = TokenVocabulary(texts: texts, endTokens: [4])
        var masker = TokenMasker(constraint, vocabulary)
        var state = constraint.makeState()
        for (token, next) in [(3, [0]), (0, [0, 2]), (2, [0, 2]), (0, [1]), (1, [4])] as [(Int32, [Int32])] {
            state.advance(vocabulary.bytes(of: token))
            let mask = masker.mask(for: state)
            #expect((0..<5).filter { mask.contains($0) } == next, "after \(token)")
        }
        #expect(state.isComplete)
        let all = Set((0..<70_000 as Range<Int32>).map(TokenVocabulary.bytes(ofHidden:)))
        #expect(all.count == 70_000 && all.allSatisfy { String(validating: $0, as: UTF8.self) == nil })
    }

    @Test func `errors name the schema that they refer to`() throws {
        let error = #expect(throws: ConstraintError.self) {
            try Self.constraint(.sequence([.document(0), .keywordArguments(1)]), ["true", #"{"pattern":"("}"#])
        }
        guard case .schema("s1#/pattern", "pattern", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        (#"{"type":"string","minLength":1000000000}"#, "minLength"), (#"{"type":"array","minItems":1e9}"#, "minItems"),
        (#"{"type":"object","minProperties":1000000000}"#, "minProperties"),
        (#"{"type":"string","pattern":"^a{1000001}$"}"#, "pattern"),
        (#"{"type":"string","minLength":9223372036854775807}"#, "minLength"),
    ])
    func `minimums beyond a limit are rejected with their location, and maximums are not`(
        schema: String, keyword: String
    ) throws {
        let limits = ConstraintLimits(demands: 1_000_000)
        let error = #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema, limits: limits) }
        guard case .schema("#/" + keyword, keyword, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // Not the number to which larger ones are clamped.
        #expect(!reason.contains("\(Int.max / 4)"))
        _ = try Constraint(jsonSchema: schema)
        _ = try Constraint(jsonSchema: #"{"type":"string","maxLength":1000000000}"#, limits: limits)
    }
}
