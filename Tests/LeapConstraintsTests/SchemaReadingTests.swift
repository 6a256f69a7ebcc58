import LeapConstraints
import LeapJSON
import Testing
import _LeapTestSupport

/// The texts that are permitted for generation, which are fewer than the valid ones.
@Suite struct SchemaReadingTests {
    static let cases = [
        SchemaTests.Case(
            schema:
                #"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["age"]}"#,
            valid: [#"{"name":"a","age":1}"#, #"{"age":1}"#],
            invalid: [#"{"age":1,"name":"a"}"#, #"{"age":1,"x":2}"#, #"{"x":2,"age":1}"#, #"{"name":"a"}"#]),
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"b":{},"a":{}},"additionalProperties":{"type":"integer"}}"#,
            valid: [#"{"b":"","a":"","x":1,"c":2}"#, #"{"a":"","x":1}"#, "{}"],
            invalid: [#"{"x":1,"a":""}"#, #"{"a":"","b":""}"#, #"{"x":""}"#]),
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"a":{}},"patternProperties":{"^x-":{"type":"integer"}}}"#,
            valid: [#"{"a":1,"x-1":2}"#, #"{"x-1":2}"#], invalid: [#"{"y":1}"#, #"{"x-1":""}"#]),
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"a":{}},"propertyNames":{"maxLength":2}}"#,
            valid: [#"{"a":1,"bc":2}"#], invalid: [#"{"bcd":1}"#]),
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"a":{}},"unevaluatedProperties":{"type":"null"}}"#,
            valid: [#"{"a":1,"b":null}"#], invalid: [#"{"b":1}"#]),
        SchemaTests.Case(
            schema: #"{"type":"object","required":["b","a"]}"#, valid: [#"{"b":1,"a":[]}"#],
            invalid: [#"{"a":1,"b":1}"#, #"{"b":1,"a":1,"c":1}"#, #"{"b":1}"#]),
        SchemaTests.Case(schema: #"{"type":"object"}"#, valid: ["{}", #"{"x":{"y":1},"a":2}"#], invalid: ["[]"]),
        SchemaTests.Case(
            schema: #"{"type":"object","minProperties":1}"#, valid: [#"{"x":1}"#], invalid: ["{}"]),
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"a":{},"b":{}},"minProperties":1}"#,
            valid: [#"{"b":1}"#, #"{"b":1,"a":1}"#], invalid: ["{}", #"{"c":1}"#]),
        SchemaTests.Case(
            schema: #"{"type":"object","properties":{"a":{}},"minProperties":2}"#, valid: [#"{"a":1,"c":1}"#],
            invalid: [#"{"a":1}"#]),
        SchemaTests.Case(
            schema:
                ##"{"$defs":{"base":{"properties":{"id":{"type":"integer"}},"required":["id"]}},"type":"object","allOf":[{"$ref":"#/$defs/base"},{"properties":{"x":{}}}],"properties":{"a":{}}}"##,
            valid: [#"{"a":1,"id":1,"x":1}"#, #"{"id":1}"#], invalid: [#"{"id":1,"y":1}"#, #"{"x":1}"#]),
        SchemaTests.Case(
            schema:
                #"{"type":"object","properties":{"k":{"enum":["x","y"]}},"required":["k"],"if":{"properties":{"k":{"const":"x"}}},"then":{"properties":{"n":{"type":"integer"}},"required":["n"]}}"#,
            valid: [#"{"k":"x","n":1}"#, #"{"k":"y"}"#], invalid: [#"{"k":"x"}"#, #"{"k":"y","n":1}"#]),
        SchemaTests.Case(
            schema:
                #"{"anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"},"y":{}},"required":["k"]}]}"#,
            valid: [#"{"k":"a","x":1}"#, #"{"k":"b","y":1}"#], invalid: [#"{"k":"a","y":1}"#, #"{"k":"b","x":1}"#]),
        SchemaTests.Case(
            schema: #"{"items":{"properties":{"a":{"properties":{"b":{}}}}},"type":"array"}"#,
            valid: [#"[{"a":{"b":1}},3]"#], invalid: [#"[{"a":{"c":1}}]"#, #"[{"c":1}]"#]),
        SchemaTests.Case(
            schema: #"{"properties":{"a":{"enum":["x","y\n"]}},"type":"object"}"#,
            valid: [#"{"a":"x"}"#, #"{"a":"y\n"}"#, #"{"a":"y\u000a"}"#],
            invalid: [#"{"\u0061":"x"}"#, #"{"a":"\u0078"}"#]),
        SchemaTests.Case(schema: #"{"type":"integer"}"#, valid: ["1", "-2"], invalid: ["1.0"]),
    ]

    @Test(arguments: cases)
    func `for generation, objects have declared and required members in the schema's order`(
        _ example: SchemaTests.Case
    ) throws {
        let constraint = try Constraint(jsonSchema: example.schema, reading: .generation)
        for text in example.valid { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in example.invalid { #expect(rejection(of: text, by: constraint) != nil, "\(text)") }
    }

    @Test(arguments: [SchemaReading.standard, .generation])
    func `an enum of thousands of numbers is enforced`(reading: SchemaReading) throws {
        let values = (0..<5000).map { String($0 * 7) }.joined(separator: ",")
        let constraint = try Constraint(jsonSchema: "{\"enum\":[\(values),\"a\"]}", reading: reading)
        for text in ["0", "7", "34993", "\"a\""] { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in ["8", "35000", "-7"] { #expect(rejection(of: text, by: constraint) != nil, "\(text)") }
    }

    @Test func `undeclared members are permitted after the declared ones on request`() throws {
        let schema = #"{"type":"object","properties":{"a":{}},"required":["a"]}"#
        var reading = SchemaReading.generation
        reading.permitsUndeclared = true
        let constraint = try Constraint(jsonSchema: schema, reading: reading)
        #expect(rejection(of: #"{"a":1,"x":2}"#, by: constraint) == nil)
        #expect(rejection(of: #"{"x":2,"a":1}"#, by: constraint) == 2)
        #expect(rejection(of: #"{"x":2,"a":1}"#, by: try Constraint(jsonSchema: schema)) == nil)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `masks for generation give valid texts and no dead ends`(seed: UInt64) throws {
        var schemas = RandomSchema(seed: 9000 + seed)
        for _ in 0..<8 {
            let schema = schemas.schema()
            guard let constraint = try? Constraint(jsonSchema: schema, reading: .generation) else { continue }
            let walk = RandomWalk(constraint, smallVocabulary, tokens: 120, using: &schemas.generator)
            #expect(walk.fault == nil, "\(schema.text()) after \(String(decoding: walk.text, as: UTF8.self))")
            guard walk.isFinished, let whole = try? Constraint(jsonSchema: schema) else { continue }
            let text = String(decoding: walk.text, as: UTF8.self)
            #expect(rejection(of: text, by: whole) == nil, "\(schema.text()) made \(text)")
        }
    }
}
