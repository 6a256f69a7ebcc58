import LeapConstraints
import LeapJSON
import Testing
import _LeapTestSupport

/// Unenforceable constraints are rejected with their location, and hostile constraints cost little.
@Suite struct RefusalTests {
    @Test(arguments: [
        (#"{"properties":{"a":{"type":"foo"}}}"#, "#/properties/a/type", "type"),
        (#"{"items":{"pattern":"((?=a).)*b"}}"#, "#/items/pattern", "pattern"),
        (#"{"type":"string","pattern":"(a)\\1"}"#, "#/pattern", "pattern"),
        (#"{"type":"string","pattern":"[a"}"#, "#/pattern", "pattern"),
        (#"{"type":"string","pattern":"[ab]*a[ab]{20}$"}"#, "#/pattern", "pattern"),
        (#"{"type":"string","pattern":"(a(?!b))*c"}"#, "#/pattern", "pattern"),
        (#"{"type":"array","minContains":-1,"contains":{}}"#, "#/minContains", "minContains"),
        (#"{"type":"number","multipleOf":0}"#, "#/multipleOf", "multipleOf"),
        (#"{"oneOf":[{"format":"ipv4"},{"format":"hostname"}]}"#, "#/oneOf", "oneOf"),
        (#"{"type":"string","oneOf":[{"format":"uuid1"},{"format":"uuid4"}]}"#, "#/oneOf", "oneOf"),
        (#"{"type":"array","items":{"type":"string"},"contains":{"const":1}}"#, "#/contains", "contains"),
        (#"{"disallow":"string"}"#, "#/disallow", "disallow"),
        (#"{"type":"string","minLength":-1}"#, "#/minLength", "minLength"),
        (##"{"$ref":"#/$defs/none"}"##, "#/$ref", "$ref"),
        (#"{"$ref":"https://example.org/s.json"}"#, "#/$ref", "$ref"),
        (##"{"$ref":"#"}"##, "#", "$ref"),
        (#"{"type":"integer","minimum":5,"maximum":4}"#, "#/minimum", "minimum"),
        (#"{"type":"string","minLength":5,"maxLength":4}"#, "#/maxLength", "maxLength"),
        (#"{"type":"array","items":{"type":"null"},"minItems":2,"maxItems":1}"#, "#/maxItems", "maxItems"),
        (#"{"enum":[]}"#, "#/enum", "enum"),
        (#"{"type":"string","enum":[1,2]}"#, "#/enum", "enum"),
        (#"{"allOf":[{"type":"string"},{"type":"integer"}]}"#, "#/allOf/0/type", "type"),
        (#"{"type":"object","required":["a"],"additionalProperties":false}"#, "#/required", "required"),
        (
            #"{"type":"object","patternProperties":{"^[ab]$":{}},"additionalProperties":false,"minProperties":3}"#,
            "#/minProperties", "minProperties"
        ),
        (##"{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}"##, "#/required", "required"),
    ])
    func `an unenforceable schema is rejected with its location`(schema: String, pointer: String, keyword: String) {
        let error = #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema) }
        guard case .schema(let foundPointer, let foundKeyword, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(foundPointer == pointer)
        #expect(foundKeyword == keyword)
    }

    @Test(arguments: [9, 2])
    func `oneOf branches are not treated as disjoint because of a pattern that their keys do not match`(length: Int) {
        let pattern = "^.{\(length),}$"
        let schema =
            #"{"type":"object","oneOf":[{"required":["a"],"patternProperties":{"\#(pattern)":{"type":"string"}}},"#
            + #"{"required":["a"],"properties":{"a":{"type":"integer"}}}]}"#
        // Both branches accept the value.
        guard let constraint = try? Constraint(jsonSchema: schema) else { return }
        #expect(rejection(of: #"{"a": 1}"#, by: constraint) != nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [10, 60, 200])
    func `paths through a grammar that merge again are followed once`(count: Int) throws {
        // Each part may be empty in two ways, so the number of paths doubles with every part.
        let parts = String(repeating: "x ", count: count)
        let grammar = "root ::= \(parts)\"e\"\nx ::= y | z\ny ::= (\"a\" root)?\nz ::= (\"b\" root)?"
        let constraint = try Constraint(gbnf: grammar)
        for text in count == 10 ? ["e", "aee", "bee"] : ["e"] { #expect(rejection(of: text, by: constraint) == nil) }
        #expect(rejection(of: "c", by: constraint) == 0)
    }

    @Test(.timeLimit(.minutes(1)))
    func `masks of a grammar with many paths are correct and computed within the time limit`() throws {
        let parts = String(repeating: "x ", count: 200)
        let constraint = try Constraint(
            gbnf: "root ::= \(parts)\"e\"\nx ::= y | z\ny ::= (\"a\" root)?\nz ::= (\"b\" root)?")
        var generator = SeededRandomNumberGenerator(seed: 7)
        let walk = RandomWalk(constraint, smallVocabulary, tokens: 12, using: &generator)
        #expect(walk.fault == nil, "\(walk.fault ?? ""): \(String(decoding: walk.text, as: UTF8.self))")
        #expect(!walk.text.isEmpty)
    }

    @Test
    func `many parts that may be empty are followed, and too many are rejected`() throws {
        // Recursive, because only a grammar that is not regular keeps its parts.
        func constraint(_ count: Int) throws -> Constraint {
            let parts = String(repeating: "x ", count: count)
            return try Constraint(gbnf: "root ::= \(parts)\"z\"\nx ::= (\"x\" root)?")
        }
        let many = try constraint(256)
        for text in ["z", "xzz", "xxzzz"] { #expect(rejection(of: text, by: many) == nil) }
        #expect(rejection(of: "xz", by: many) == 2 && rejection(of: "xzzz", by: many) == 3)
        let error = #expect(throws: ConstraintError.self) { try constraint(257) }
        #expect(error?.description.contains("consecutive parts that may be empty") == true)
        #expect(throws: ConstraintError.self) { try Constraint(regex: String(repeating: "x?", count: 20_000) + "z") }
    }

    @Test(.timeLimit(.minutes(1)))
    func `branches of a recursive schema are compared a bounded number of times`() throws {
        let names = (0..<16).map { "\"k\($0)\"" }
        let properties = names.map { ##"\##($0):{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}"## }.joined(
            separator: ",")
        let node = #"{"type":"object","required":[\#(names.joined(separator: ","))],"properties":{\#(properties)}}"#
        let schema =
            ##"{"$defs":{"n":\##(node)},"oneOf":[{"$ref":"#/$defs/n"},{"allOf":[{"$ref":"#/$defs/n"},{"minProperties":1}]}]}"##
        let constraint = try? Constraint(jsonSchema: schema)
        // Both branches accept every value.
        let value = "{" + names.map { "\($0): null" }.joined(separator: ", ") + "}"
        if let constraint { #expect(rejection(of: value, by: constraint) != nil) }
    }

    @Test func `canonically equivalent patterns are distinct`() throws {
        let members = [("a", "\u{C5}"), ("b", "\u{212B}")].map { #""\#($0)":{"type":"string","pattern":"^\#($1)$"}"# }
        let constraint = try Constraint(
            jsonSchema: #"{"type":"object","properties":{\#(members.joined(separator: ","))},"required":["a","b"]}"#)
        #expect(rejection(of: "{\"a\": \"\u{C5}\", \"b\": \"\u{212B}\"}", by: constraint) == nil)
        #expect(rejection(of: "{\"a\": \"\u{C5}\", \"b\": \"\u{C5}\"}", by: constraint) != nil)
    }

    private static let chain = (0..<20_000).map { "r\($0) ::= r\($0 + 1)" }.joined(separator: "\n")

    @Test(arguments: [#""(" root ")" | "a""#, #""a""#, #""" | "a""#])
    func `a long chain of rules overflows no stack and takes no quadratic time`(last: String) {
        let time = ContinuousClock().measure {
            let constraint = try? Constraint(gbnf: "root ::= r0\n\(Self.chain)\nr20000 ::= \(last)")
            if let constraint { #expect(rejection(of: "a", by: constraint) == nil) }
        }
        #expect(time < .seconds(20))
    }

    @Test func `twenty thousand anyOf groups are compiled or rejected quickly`() {
        let schema = #"{"allOf":["# + Array(repeating: #"{"anyOf":[{}]}"#, count: 20_000).joined(separator: ",") + "]}"
        let time = ContinuousClock().measure { _ = try? Constraint(jsonSchema: schema) }
        #expect(time < .seconds(20))
    }

    @Test func `errors state what failed, where and why`() {
        #expect(
            ConstraintError.schema(pointer: "#/items/contains", keyword: "contains", reason: "cannot be enforced")
                .description
                == "schema #/items/contains: 'contains' cannot be enforced.")
        #expect(
            ConstraintError.regex(position: 2, reason: "why").description == "regular expression, character 3: why.")
        #expect(ConstraintError.grammar(line: 1, column: 2, reason: "why").description == "grammar 1:2: why.")
    }

    @Test(arguments: [
        #"{"type":"array","minItems":100000000,"items":{"type":"string"}}"#,
        #"{"type":"string","minLength":5,"maxLength":1000000000}"#,
        #"{"type":"string","pattern":"^[a-z]*$","minLength":5,"maxLength":1000000000}"#,
        #"{"type":"string","pattern":"^(a{0,1000}){0,1000}$"}"#,
        #"{"type":"string","pattern":".*.*.*="}"#,
        #"{"type":"string","pattern":"(a|a)*b"}"#,
        #"{"type":"array","minItems":10000,"maxItems":10000,"items":{"type":"integer"}}"#,
    ])
    func `counted repetitions are not unrolled`(schema: String) throws {
        _ = try Constraint(jsonSchema: schema, limits: ConstraintLimits(nodes: 200, states: 2000))
    }

    @Test func `ten thousand properties and values compile to a proportional number of nodes`() throws {
        let names = (0..<10_000).map { "p\($0)" }
        let properties = names.map { "\"\($0)\":{\"type\":\"integer\"}" }.joined(separator: ",")
        let constraint = try Constraint(
            jsonSchema: "{\"properties\":{\(properties)},\"additionalProperties\":false}",
            limits: ConstraintLimits(nodes: 30_000, states: 2000))
        #expect(rejection(of: #"{"p9999":1,"p0":2}"#, by: constraint) == nil)
        #expect(rejection(of: #"{"p0":1,"p0":2}"#, by: constraint) == 10)
        let values = names.map { "\"\($0)\"" }.joined(separator: ",")
        let list = try Constraint(
            jsonSchema: "{\"enum\":[\(values)]}", limits: ConstraintLimits(nodes: 100, states: 500))
        #expect(rejection(of: "\"p77\"", by: list) == nil)
        #expect(rejection(of: "\"p77x\"", by: list) == 4)
    }

    @Test func `exponentially many combinations are rejected`() {
        let group = (0..<15).map { #"{"anyOf":[{"minLength":\#($0)},{"maxLength":\#($0 + 90)},{"type":"null"}]}"# }
        #expect(throws: ConstraintError.self) {
            try Constraint(jsonSchema: "{\"allOf\":[\(group.joined(separator: ","))]}")
        }
    }
}
