import LeapConstraints
import LeapJSON
import Testing
import _LeapTestSupport

/// Keywords for which a whole value is judged before its last byte is permitted.
@Suite struct JudgedSchemaTests {
    static let cases = [
        SchemaTests.Case(
            schema: #"{"type":"array","contains":{"type":"string"},"maxContains":1,"maxItems":3}"#,
            valid: [#"["a"]"#, #"[1,"a",2]"#], invalid: ["[]", "[1]", #"["a","b"]"#]),
        SchemaTests.Case(
            schema: #"{"type":"array","uniqueItems":true}"#,
            valid: ["[]", "[1,2,true]", #"[{"a":1},{"a":2}]"#, "[1,10]", "[[1],[2]]"],
            invalid: ["[1,1]", "[1,1.0]", #"[{"a":1,"b":2},{"b":2,"a":1}]"#, "[null,1,null]", "[[0],[0.0]]"]),
        SchemaTests.Case(
            schema: #"{"type":"number","multipleOf":0.01}"#, valid: ["0", "0.5", "12.25", "3", "-0.75"],
            invalid: ["0.001", "1.234"]),
        SchemaTests.Case(
            schema: #"{"type":"integer","multipleOf":100000}"#, valid: ["0", "300000"], invalid: ["1", "150000"]),
        SchemaTests.Case(
            schema: #"{"type":"integer","multipleOf":5000}"#, valid: ["0", "5000", "-15000", "123455000"],
            invalid: ["1", "500", "50001"]),
        SchemaTests.Case(
            schema: #"{"type":"integer","allOf":[{"multipleOf":700},{"multipleOf":900}]}"#, valid: ["0", "6300"],
            invalid: ["700", "900"]),
        SchemaTests.Case(
            schema: #"{"not":{"type":"array","items":{"type":"string"}}}"#, valid: ["1", "[1]", #"["a",2]"#],
            invalid: ["[]", #"["a"]"#]),
        SchemaTests.Case(
            schema: #"{"type":"object","not":{"properties":{"a":{"items":{"const":1}}},"required":["a"]}}"#,
            valid: ["{}", #"{"a":[2]}"#], invalid: [#"{"a":[1,1]}"#, #"{"b":0,"a":[]}"#]),
        SchemaTests.Case(
            schema: #"{"oneOf":[{"items":{"type":"integer"}},{"items":{"minimum":3}}],"type":"array"}"#,
            valid: ["[1]", #"["a"]"#, "[4.5,3]"], invalid: ["[]", "[4]", "[0.5]"]),
        SchemaTests.Case(
            schema: #"{"if":{"items":{"type":"string"}},"then":{"minItems":2},"else":{"maxItems":1},"type":"array"}"#,
            valid: [#"["a","b"]"#, "[1]"], invalid: [#"["a"]"#, "[1,2]", "[]"]),
        SchemaTests.Case(
            schema:
                #"{"type":"object","allOf":[{"properties":{"a":{"type":"integer"}}}],"properties":{"b":{}},"unevaluatedProperties":false}"#,
            valid: ["{}", #"{"a":1,"b":2}"#], invalid: [#"{"c":1}"#, #"{"a":""}"#]),
        SchemaTests.Case(
            schema: #"{"type":"array","prefixItems":[{}],"contains":{"const":1},"unevaluatedItems":false}"#,
            valid: ["[1]", "[0,1]", "[0,1,1]"], invalid: ["[0]", "[0,2]", "[0,1,2]"]),
        SchemaTests.Case(
            schema: #"{"anyOf":[{"type":"null"},{"not":{"format":"email"}}]}"#, valid: ["null"],
            invalid: [#""a@b.c""#, #""x""#]),
        SchemaTests.Case(
            schema: #"{"type":"object","propertyNames":{"anyOf":[{"const":"a"},{"minLength":3}]}}"#,
            valid: ["{}", #"{"a":1,"abc":2}"#], invalid: [#"{"b":1}"#, #"{"a":1,"ab":2}"#]),
        SchemaTests.Case(
            schema:
                #"{"$schema":"http://json-schema.org/draft-07/schema#","not":{"prefixItems":[{"const":1}],"items":{"type":"integer"}},"type":"array"}"#,
            valid: [#"["a"]"#], invalid: ["[1]", "[]", "[2]"]),
        SchemaTests.Case(
            schema: #"{"$schema":"http://json-schema.org/draft-04/schema#","not":{"const":1},"type":"integer"}"#,
            valid: [], invalid: ["1", "2"]),
        SchemaTests.Case(
            schema: #"{"$schema":"http://json-schema.org/draft-07/schema#","const":[1,[true]]}"#,
            valid: ["[1,[true]]"], invalid: ["[1,[1]]", "[1]"]),
        SchemaTests.Case(
            schema: #"{"type":"string","format":"regex"}"#, valid: [#""^a+$""#], invalid: [#""(""#, #""a**""#]),
        SchemaTests.Case(
            schema: #"{"type":"array","items":{"not":{"items":{"type":"null"}},"type":"array"}}"#,
            valid: ["[]", "[[1],[null,1]]"], invalid: ["[[]]", "[[1],[null]]"]),
    ]

    @Test(arguments: cases)
    func `a judged schema accepts valid texts and nothing else`(_ example: SchemaTests.Case) throws {
        let constraint = try Constraint(jsonSchema: example.schema)
        for text in example.valid { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in example.invalid { #expect(rejection(of: text, by: constraint) != nil, "\(text)") }
    }

    @Test func `the byte that would complete an invalid value is rejected`() throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"array","uniqueItems":true}"#)
        #expect(rejection(of: "[1,1]", by: constraint) == 4)
        #expect(rejection(of: #"[{"a":1}, {"a":1}]"#, by: constraint) == 16)
    }

    /// Schemas of items with few values, and an array that contains all of them.
    static let short = [
        (#"{"type":"boolean"}"#, "[true,false]"), (#"{"enum":[1,2,3]}"#, "[3, 1, 2]"),
        (#"{"enum":[1,"a",null]}"#, #"["a",null,1]"#), (#"{"enum":[true,12,1]}"#, "[12,1,true]"),
        (#"{"type":["boolean","null"]}"#, "[null,false,true]"),
    ]

    @Test(arguments: short)
    func `an array of unique items that has all possible values can only end`(_ items: String, _ text: String) throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"array","items":\#(items),"uniqueItems":true}"#)
        var state = constraint.makeState()
        #expect(state.advance(text.utf8.dropLast()) == nil)
        #expect(rejection(of: text, by: constraint) == nil)
        for end in [",", " ,", "\n,"] {
            var next = state
            #expect(next.advance(end.utf8) == end.utf8.count - 1, "\(end)")
        }
    }

    @Test func `an item that can only become a duplicate is rejected at its first byte`() throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"array","uniqueItems":true}"#)
        #expect(rejection(of: "[true,1,t", by: constraint) == 8)
        #expect(rejection(of: "[false,null,[],n", by: constraint) == 15)
        #expect(rejection(of: "[1,12,1", by: constraint) == 7, "it may still become another number")
        #expect(throws: ConstraintError.self) {
            try Constraint(jsonSchema: #"{"type":"array","items":{"type":"boolean"},"uniqueItems":true,"minItems":3}"#)
        }
    }

    @Test(
        arguments: short.map { #"{"type":"array","items":\#($0.0),"uniqueItems":true}"# } + [
            #"{"type":"array","uniqueItems":true}"#
        ])
    func `masks for arrays of unique items never lead to a dead end`(_ schema: String) throws {
        let constraint = try Constraint(jsonSchema: schema)
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededRandomNumberGenerator(seed: seed)
            var masker = TokenMasker(constraint, smallVocabulary)
            var state = constraint.makeState()
            for _ in 0..<60 where !state.isComplete {
                let mask = masker.mask(for: state)
                let tokens = (0..<Int32(smallVocabulary.count)).filter {
                    mask.contains($0) && !smallVocabulary.bytes(of: $0).isEmpty
                }
                guard let token = tokens.randomElement(using: &generator) else {
                    Issue.record("no token is permitted")
                    break
                }
                #expect(state.advance(smallVocabulary.bytes(of: token)) == nil)
            }
        }
    }

    @Test(arguments: cases)
    func `a mask permits exactly the tokens whose bytes are permitted`(_ example: SchemaTests.Case) throws {
        let constraint = try Constraint(jsonSchema: example.schema)
        var masker = TokenMasker(constraint, smallVocabulary)
        for text in example.valid {
            var state = constraint.makeState()
            for byte in text.utf8 {
                let mask = masker.mask(for: state)
                for token in 0..<Int32(smallVocabulary.count) {
                    let bytes = smallVocabulary.bytes(of: token)
                    // A token that spells two new object keys may be masked wrongly, but never permitted wrongly.
                    guard !bytes.isEmpty, bytes.count(where: { $0 == 0x22 }) <= 2 else { continue }
                    var next = state
                    #expect(mask.contains(token) == (next.advance(bytes) == nil), "\(text): \(bytes)")
                }
                state.advance(byte)
            }
        }
    }

    @Test func `a reference into a schema with its own identifier is resolved`() throws {
        let constraint = try Constraint(
            jsonSchema: """
                {"$id":"https://example.org/root","$ref":"leaf#/$defs/x","$defs":{
                "leaf":{"$id":"leaf","$defs":{"x":{"$ref":"#y"},"z":{"$anchor":"y","type":"integer"}}},
                "z":{"$anchor":"y","type":"string"}}}
                """)
        #expect(rejection(of: "1", by: constraint) == nil)
        #expect(rejection(of: #""a""#, by: constraint) == 0)
    }

    /// Schemas with `contains`, and for each a beginning of an array after which not every item is valid.
    static let demands = [
        (
            #"{"items":{"enum":["a","b"]},"contains":{"const":"b"},"minItems":2,"maxItems":2}"#, #"["a","#, #""b"]"#,
            #""a""#
        ),
        (
            #"{"items":{"enum":["a","b"]},"contains":{"const":"b"},"minContains":2,"maxItems":3}"#, #"["a","#,
            #""b","b"]"#, #""a""#
        ),
        (
            #"{"prefixItems":[{"type":"integer"},{"enum":[1,"x"]}],"items":false,"contains":{"type":"string"}}"#, "[2,",
            #""x"]"#, "1"
        ),
        (
            #"{"items":{"properties":{"y":{}}},"contains":{"properties":{"x":{}},"required":["x"]},"maxItems":1}"#, "[",
            #"{"x":1}]"#, "{}"
        ),
        (
            #"{"items":{"enum":["a","b"]},"contains":{"const":"b"},"maxContains":1,"minItems":2,"maxItems":3}"#,
            #"["a","b","#, #""a"]"#, #""b""#
        ),
        (#"{"items":{"enum":["a",1]},"contains":{"type":"string"},"minContains":0,"maxContains":0}"#, "[", "1]", "\""),
        (
            #"{"contains":{"type":"integer"},"minContains":2,"maxContains":2,"minItems":3,"maxItems":3}"#, "[4,null,",
            "8]", "n"
        ),
        (#"{"contains":{"type":"null"},"unevaluatedItems":false,"maxItems":2}"#, "[", "null]", "1"),
        (
            #"{"prefixItems":[{"const":1}],"contains":{"type":"null"},"unevaluatedItems":{"const":2}}"#, "[1,2,",
            "null]", "3"
        ),
    ]

    @Test(arguments: demands)
    func `arrays cannot continue or end in a way that violates contains`(
        _ keywords: String, _ beginning: String, _ rest: String, _ other: String
    ) throws {
        let schema = #"{"type":"array",\#(keywords.dropFirst())"#
        let constraint = try Constraint(jsonSchema: schema, reading: .generation)
        #expect(rejection(of: beginning + rest, by: constraint) == nil)
        var state = constraint.makeState()
        #expect(state.advance(beginning.utf8) == nil)
        #expect(state.advance(other.utf8) != nil)
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededRandomNumberGenerator(seed: seed)
            let walk = RandomWalk(constraint, smallVocabulary, tokens: 60, using: &generator)
            #expect(walk.fault == nil, "\(String(decoding: walk.text, as: UTF8.self))")
        }
    }

    @Test(arguments: [
        #"{"type":"array","prefixItems":[{"type":"integer"}],"items":false,"contains":{"type":"string"}}"#,
        #"{"type":"array","items":{"type":"string"},"contains":{"const":1}}"#,
        #"{"type":"array","prefixItems":[{"const":1}],"items":{"const":2},"contains":{"const":1},"minContains":2}"#,
        #"{"type":"array","items":{"const":1},"contains":{"type":"integer"},"maxContains":2,"minItems":3}"#,
        #"{"type":"array","contains":{"type":"integer"},"minContains":2,"maxContains":1}"#,
    ])
    func `a schema with contains that no array satisfies is rejected`(schema: String) {
        #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema, reading: .generation) }
    }

    @Test func `numbers may be written in any notation under maxContains`() throws {
        let constraint = try Constraint(jsonSchema: #"{"contains":{"type":"string"},"maxContains":1,"minContains":0}"#)
        #expect(rejection(of: #"[1e5,"a",2E+5]"#, by: constraint) == nil)
        #expect(rejection(of: #"["a","b"]"#, by: constraint) != nil)
    }

    /// Patterns that zod, ajv and pydantic generate for their formats.
    @Test(arguments: [
        (
            #"^(?=.{1,253}\\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\\.?$"#,
            ["a.b", "a-b.c.", long(63) + ".a", labels(253), labels(253) + "."],
            ["", "-a", "a..b", long(64) + ".a", labels(254), labels(254) + "."]
        ),
        (
            #"^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$"#,
            ["P1W", "P1Y2M3DT4H5M6.7S", "PT5M", "P1M"], ["P", "PT", "P1DT", "P1Y1W", "P1M1Y"]
        ),
        (
            #"^P(?!$)((\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+S)?)?|(\\d+W)?)$"#,
            ["P1W", "P1Y", "PT5S"], ["P", "PT", "P1YT"]
        ),
        (
            #"^(?!^[-+.]*$)[+-]?0*(?:\\d{0,3}|(?=[\\d.]{1,6}0*$)\\d{0,3}\\.\\d{0,2}0*$)$"#,
            ["1", "-012.3", "123.45", "1.2000"], ["", "+", "1234", "1.234", "."]
        ),
    ])
    func `patterns that libraries generate for formats are enforced`(
        pattern: String, valid: [String], invalid: [String]
    ) throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"string","pattern":"\#(pattern)"}"#)
        for text in valid { #expect(rejection(of: "\"\(text)\"", by: constraint) == nil, "\(text)") }
        for text in invalid { #expect(rejection(of: "\"\(text)\"", by: constraint) != nil, "\(text)") }
    }

    /// A host name with the given number of characters, at least 251.
    private static func labels(_ count: Int) -> String {
        String(repeating: long(49) + ".", count: 5) + long(count - 250)
    }

    @Test func `oneOf with many patterns accepts only strings that match exactly one`() throws {
        let branches = (0..<24).map { #"{"pattern":"x\#($0)-"}"# }.joined(separator: ",")
        let constraint = try Constraint(jsonSchema: #"{"type":"string","oneOf":[\#(branches)]}"#)
        for text in ["x0-", "x7-x7-", "ax23-b"] { #expect(rejection(of: "\"\(text)\"", by: constraint) == nil) }
        for text in ["", "x24-", "x0-x1-", "x3-x22-x3-"] {
            #expect(rejection(of: "\"\(text)\"", by: constraint) != nil)
        }
    }

    @Test func `contains with a schema that automata cannot express is enforced`() throws {
        let schema = #"{"type":"array","contains":{"not":{"const":[1]}},"items":{"type":"array"}}"#
        let constraint = try Constraint(jsonSchema: schema)
        for text in ["[[1],[2]]", "[[]]"] { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in ["[]", "[[1]]", "[[1],[1]]", "[1]", "[[1],2]"] {
            #expect(rejection(of: text, by: constraint) != nil, "\(text)")
        }
    }

    @Test func `an unknown format is reported as unknown and not enforced`() throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"string","format":"colour"}"#)
        #expect(rejection(of: #""x""#, by: constraint) == nil)
        #expect(constraint.unknownKeywords == ["#/format"])
    }

    @Test(arguments: [
        (#"^(?!foo).*$"#, ["bar", ""], ["food"]), (#"^(?=.*[a-z])(?=.*\\d).{3,}$"#, ["ab1"], ["abc", "a1"]),
        (#"^((?!ab).)*$"#, ["a", "ba", ""], ["cab"]), (#"x(?=y)"#, ["axyb"], ["axb"]),
        (#"^\\p{L}+$"#, ["é日a"], ["1", ""]), (#"^[\\p{L} ]{1,64}$"#, ["a é"], ["", "a1"]),
        (#"^(?=.{2,3}$)[a-z]+$"#, ["ab", "abc"], ["a", "abcd"]),
        (#"^(?=.{1,253}$)[a-z]{1,63}(\\.[a-z]{1,63})*$"#, ["a.b"], [""]),
        (#"^(.|\\n){1,4000}$"#, ["a"], [""]), (#"^.{1,200}$"#, ["a"], [""]), (#".{2,200}"#, ["ab", "a b c"], ["a"]),
    ])
    func `patterns with lookahead at an edge and with counts are enforced`(
        pattern: String, valid: [String], invalid: [String]
    ) throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"string","pattern":"\#(pattern)"}"#)
        for text in valid { #expect(rejection(of: "\"\(text)\"", by: constraint) == nil, "\(text)") }
        for text in invalid { #expect(rejection(of: "\"\(text)\"", by: constraint) != nil, "\(text)") }
    }

    @Test(arguments: [
        ("uri", ["file:///a", "https://a.b/c?d#e"], ["a", "//a"]),
        ("uri-reference", ["a/b", "#x", ""], ["a b", "\\\\x"]),
        ("uri-template", ["/a/{b}{?c*,d:3}"], ["{", "{a"]), ("iri", ["file:///a"], ["é"]),
        ("idn-email", ["a@b.c"], ["a"]), ("idn-hostname", ["a.b"], ["-a"]),
        ("hostname", [long(63), long(63) + ".a"], [long(64), "a." + long(64), "a--b", "a-"]),
        ("email", [long(64) + "@b.c", "a@" + long(63) + ".c"], [long(65) + "@b.c", "a@" + long(64), "a..b@c"]),
        ("uuid4", ["123e4567-e89b-42d3-a456-426614174000"], ["123e4567-e89b-12d3-a456-426614174000"]),
        ("base64", ["YQ==", ""], ["YQ="]), ("date-time", ["2024-01-01T00:00:00Z"], ["2024-01-01t00:00:00z"]),
    ])
    func `further formats are enforced`(format: String, valid: [String], invalid: [String]) throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"string","format":"\#(format)"}"#)
        for text in valid { #expect(rejection(of: "\"\(text)\"", by: constraint) == nil, "\(text)") }
        for text in invalid { #expect(rejection(of: "\"\(text)\"", by: constraint) != nil, "\(text)") }
    }

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test func `numbers may be written in any notation that the standard permits`() throws {
        for (schema, text, isValid) in [
            (#"{"type":"integer"}"#, "1.0", true), (#"{"type":"integer"}"#, "1.5", false),
            (#"{"const":0}"#, "0.0", true), (#"{"enum":[1]}"#, "1.00", true), (#"{"const":0}"#, "0.01", false),
            (#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"}"#, "1.0", false),
        ] {
            let constraint = try Constraint(jsonSchema: schema)
            #expect((rejection(of: text, by: constraint) == nil) == isValid, "\(schema) \(text)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `judgements of schemas that refer to themselves take bounded time`() throws {
        let schema = ##"{"not":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}"##
        let judged = ##"{"not":{"items":{"$ref":"#"}}}"##
        #expect(rejection(of: "1", by: try Constraint(jsonSchema: schema)) != nil)
        let constraint = try Constraint(jsonSchema: judged)
        // A number is no array, so it satisfies "items"; an array around it does not, one around that does, and so on.
        for depth in [1, 2, 89, 90] {
            let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            #expect(rejection(of: text, by: constraint) == (depth.isMultiple(of: 2) ? 2 * depth : nil))
        }
    }
}
