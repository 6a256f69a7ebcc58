import LeapConstraints
import LeapJSON
import Testing

/// Keyword by keyword: texts that a schema accepts and texts that it does not.
@Suite struct SchemaTests {
    struct Case: Sendable, CustomStringConvertible {
        let schema: String
        let valid: [String]
        let invalid: [String]
        var description: String { schema }
    }

    static let cases = [
        Case(
            schema: #"{"type":"integer","minimum":-3,"maximum":120}"#, valid: ["-3", "0", "120", "99"],
            invalid: ["-4", "121", "1.5", "01", "-0", ""]),
        Case(
            schema: #"{"type":"number","exclusiveMinimum":0,"maximum":1.5}"#, valid: ["0.001", "1", "1.50", "1.4999"],
            invalid: ["0", "0.0", "-1", "1.51", "2", "1."]),
        Case(
            schema: #"{"type":"number","exclusiveMinimum":0,"maximum":1e-15}"#,
            valid: ["0.000000000000001", "0.0000000000000000001"],
            invalid: ["0", "0.0", "0.000000000000002", "-0.0000000000000001"]),
        Case(
            // Of the longer numbers, some are the bound once they are rounded to doubles.
            schema: #"{"type":"number","exclusiveMinimum":0.001}"#, valid: ["0.00100000000000001", "0.002"],
            invalid: ["0.001", "0.0010", "0.001000000000000000001", "0.00099999999999999"]),
        Case(
            schema: #"{"type":"number","not":{"const":0}}"#, valid: ["0.00000000000000000001", "-1"],
            invalid: ["0", "0.0", "-0.000"]),
        Case(
            schema: #"{"type":"number"}"#, valid: ["-0.5", "1e5", "6.02E+23", "0"],
            invalid: ["1e999", ".5", "+1", "NaN"]),
        Case(
            schema: #"{"type":"integer","multipleOf":7}"#, valid: ["0", "7", "-14", "700"], invalid: ["1", "-13", "-"]),
        Case(
            schema: #"{"type":"string","minLength":2,"maxLength":3}"#,
            valid: [#""ab""#, #""\n\u00e9\ud83d\ude00""#, "\"日本語\""],
            invalid: [#""a""#, #""abcd""#, #""\ud83d""#, "\"a\n\""]),
        Case(
            schema: #"{"type":"string","pattern":"^[A-Z]{2}\\d+$","maxLength":5}"#, valid: [#""AB1""#, #""A\u00421""#],
            invalid: [#""AB""#, #""AB1234""#, #""ab1""#]),
        Case(schema: #"{"type":"string","pattern":"b"}"#, valid: [#""b""#, #""abc""#], invalid: [#""ac""#]),
        Case(
            schema: #"{"type":"string","format":"date"}"#, valid: [#""2024-02-29""#],
            invalid: [#""2023-02-29""#, #""0000-01-01""#]),
        Case(
            schema: #"{"type":"string","format":"ipv6"}"#, valid: [#""::1""#, #""1:2:3:4:5:6:1.2.3.4""#],
            invalid: [#""1::2::3""#, #""12345::""#]),
        Case(
            schema: #"{"enum":["a\"b",1,null,[1,2],{"k":true}]}"#,
            valid: [#""a\"b""#, "1", "null", "[1, 2]", #"{ "k": true }"#],
            invalid: ["2", "[1]", "{}", #"{"k":true,"l":1}"#]),
        Case(
            schema:
                #"{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"boolean"},"minItems":2,"maxItems":3}"#,
            valid: ["[1,true]", "[1, true,\n  false]"], invalid: ["[1]", "[true,true]", "[1,true,true,true]", "[1,]"]),
        Case(
            schema: #"{"type":"array","items":{"type":"string"},"uniqueItems":true}"#, valid: ["[]", #"["a","b"]"#],
            invalid: [#"["a","a"]"#, #"["a","\u0061"]"#]),
        Case(
            schema:
                #"{"type":"object","properties":{"a":{"type":"integer"},"b":{}},"required":["b"],"additionalProperties":false}"#,
            valid: [#"{"b":[{}]}"#, #"{"a":1,"b":2}"#, #"{"b":2,"\u0061":1}"#],
            invalid: [#"{}"#, #"{"a":1}"#, #"{"b":1,"c":1}"#, #"{"b":1,"b":1}"#]),
        Case(
            schema: #"{"type":"object","additionalProperties":{"type":"integer"},"maxProperties":2}"#,
            valid: ["{}", #"{"a":1,"ab":2}"#], invalid: [#"{"a":1,"a":2}"#, #"{"a":1,"b":2,"c":3}"#, #"{"a":""}"#]),
        Case(
            schema: #"{"type":"object","patternProperties":{"^x*a$":{"type":"integer"}},"additionalProperties":false}"#,
            valid: [#"{"a":1,"xa":2,"xxa":3}"#], invalid: [#"{"xa":1,"xa":1}"#, #"{"x":1}"#]),
        Case(
            schema: #"{"type":"object","patternProperties":{"^a":{"type":"integer"},"b$":{"type":"string"}}}"#,
            valid: [#"{"a":1,"b":"","c":null}"#], invalid: [#"{"ab":1}"#, #"{"ab":""}"#, #"{"a":""}"#]),
        Case(
            schema:
                #"{"allOf":[{"properties":{"a":{"minimum":3}},"required":["a"]},{"type":"object","properties":{"a":{"type":"integer","maximum":5}}}]}"#,
            valid: [#"{"a":4}"#], invalid: [#"{"a":2}"#, #"{"a":6}"#, "{}", "4"]),
        Case(
            schema:
                #"{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"integer"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}"#,
            valid: [#"{"x":1,"k":"a"}"#, #"{"x":"","k":"b"}"#], invalid: [#"{"x":"","k":"a"}"#, #"{"x":1}"#]),
        Case(
            schema:
                #"{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}"#,
            valid: [#"{"a":null}"#, #"{"b":null}"#], invalid: ["{}", #"{"a":null,"b":null}"#]),
        Case(
            schema:
                ##"{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["v","next"],"additionalProperties":false}"##,
            valid: [##"{"v":1,"next":{"next":null,"v":2}}"##], invalid: [##"{"v":1}"##, ##"{"v":1,"next":{}}"##]),
        Case(
            schema:
                #"{"if":{"properties":{"k":{"const":"x"}},"required":["k"]},"then":{"required":["x"]},"else":{"maxProperties":1},"type":"object"}"#,
            valid: [#"{"k":"x","x":0}"#, #"{"k":2}"#, "{}"], invalid: [#"{"k":"x"}"#, #"{"k":2,"x":1}"#]),
        Case(
            schema: #"{"type":"object","dependentRequired":{"a":["b"]}}"#,
            valid: ["{}", #"{"b":1}"#, #"{"a":1,"b":1}"#], invalid: [#"{"a":1}"#]),
        Case(
            schema: #"{"not":{"type":["object","array","string"]}}"#, valid: ["1", "null"],
            invalid: ["{}", "[]", #""""#]),
        Case(
            schema: #"{"type":"string","title":"t","description":"d","default":5,"x-unknown":{}}"#, valid: [#""""#],
            invalid: ["1"]),
        Case(schema: "true", valid: ["1", " {}", "[1, [null]]", "\n  true"], invalid: ["", "{", "1 ", "  1", "nul"]),
    ]

    @Test(arguments: cases) func `a schema accepts valid texts and nothing else`(_ example: Case) throws {
        let constraint = try Constraint(jsonSchema: example.schema)
        for text in example.valid { #expect(rejection(of: text, by: constraint) == nil, "\(text)") }
        for text in example.invalid { #expect(rejection(of: text, by: constraint) != nil, "\(text)") }
    }

    @Test func `a rejection has the offset of the byte`() throws {
        let constraint = try Constraint(
            jsonSchema:
                #"{"type":"object","properties":{"n":{"maximum":9,"type":"integer"}},"additionalProperties":false}"#)
        #expect(rejection(of: #"{"n":10}"#, by: constraint) == 6)
        #expect(rejection(of: #"{"m"#, by: constraint) == 2)
        #expect(rejection(of: #"{"n":1"#, by: constraint) == 6)
    }

    @Test func `whitespace is bounded`() throws {
        let constraint = try Constraint(jsonSchema: "true")
        #expect(rejection(of: "[\n" + String(repeating: " ", count: 40) + "1]", by: constraint) == nil)
        #expect(rejection(of: "[\n" + String(repeating: " ", count: 41) + "1]", by: constraint) != nil)
        #expect(rejection(of: "[\n\n1]", by: constraint) == 2)
    }

    @Test func `nesting is bounded, and open arrays can still be closed`() throws {
        let constraint = try Constraint(jsonSchema: "true")
        #expect(
            rejection(of: String(repeating: "[", count: 100) + String(repeating: "]", count: 100), by: constraint)
                == nil)
        #expect(rejection(of: String(repeating: "[", count: 101), by: constraint) == 100)
    }

    @Test func `unknown keywords are reported`() throws {
        let constraint = try Constraint(jsonSchema: #"{"properties":{"a":{"maxLenght":3,"title":"t"}}}"#)
        #expect(constraint.unknownKeywords == ["#/properties/a/maxLenght"])
    }
}
