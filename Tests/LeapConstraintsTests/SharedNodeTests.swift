import LeapConstraints
import Testing

/// Parts that are compiled only once and shared, or compiled state by state, have the same meaning in every place.
@Suite struct SharedNodeTests {
    @Test("a reference means its definition, and keywords next to it apply as well")
    func references() throws {
        let constraint = try Constraint(
            jsonSchema: ##"""
                {"properties":{"a":{"$ref":"#/$defs/n","description":"first"},"b":{"$ref":"#/$defs/n","minimum":5},
                "c":{"$ref":"#/$defs/m"},"d":true,"e":{"title":"anything"}},"$defs":{"n":{"type":"integer"},
                "m":{"$ref":"#/$defs/n"}}}
                """##)
        for text in [#"{"a":1,"b":5,"c":2,"d":[1],"e":{"a":"x"}}"#, #"{"c":-7}"#] {
            #expect(rejection(of: text, by: constraint) == nil)
        }
        for text in [#"{"a":"1"}"#, #"{"b":4}"#, #"{"b":"5"}"#, #"{"c":null}"#] {
            #expect(rejection(of: text, by: constraint) != nil)
        }
    }

    @Test(
        "cyclic, missing and unsatisfiable references are rejected, and so are unknown types",
        arguments: [
            ##"{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}"##,
            ##"{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/missing"}}}"##,
            ##"{"type":"object","required":["a"],"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":false}}"##,
            ##"{"properties":{"a":{"type":"string"},"b":{"type":"text"}}}"##,
        ])
    func refused(_ schema: String) {
        #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema) }
    }

    @Test("unknown formats and keywords are reported at every location")
    func unknown() throws {
        let constraint = try Constraint(
            jsonSchema: """
                {"properties":{"a":{"type":"string","format":"colour"},"b":{"type":"string","format":"colour"},
                "c":{"type":"string","tint":1},"d":{"type":"string","tint":1}}}
                """)
        #expect(
            constraint.unknownKeywords == [
                "#/properties/a/format", "#/properties/b/format", "#/properties/c/tint", "#/properties/d/tint",
            ])
    }

    @Test("pointers with slashes and tildes are resolved and reported", arguments: ["a~1b", "a~0b", "%61%7E1b"])
    func pointers(_ name: String) throws {
        let constraint = try Constraint(
            jsonSchema: """
                {"properties":{"x":{"$ref":"#/$defs/\(name)"}},
                "$defs":{"a/b":{"const":1,"tint":1},"a~b":{"const":1,"tint":1}}}
                """)
        #expect(rejection(of: #"{"x":1}"#, by: constraint) == nil)
        #expect(rejection(of: #"{"x":2}"#, by: constraint) != nil)
        #expect(constraint.unknownKeywords == [name == "a~0b" ? "#/$defs/a~0b/tint" : "#/$defs/a~1b/tint"])
    }

    @Test("the length limits of propertyNames count characters, not bytes", .timeLimit(.minutes(1)))
    func lengthsOfNames() throws {
        let constraint = try Constraint(
            jsonSchema: #"{"propertyNames":{"minLength":2,"maxLength":1000},"additionalProperties":{"type":"null"}}"#)
        func isAccepted(_ name: String) -> Bool { rejection(of: "{\"\(name)\":null}", by: constraint) == nil }
        for name in ["ab", "日本", "😀é", String(repeating: "é", count: 1000), #"\u0041B"#] {
            #expect(isAccepted(name))
        }
        for name in ["", "a", "日", "😀", String(repeating: "é", count: 1001)] { #expect(!isAccepted(name)) }
    }

    @Test("minLength and pattern of propertyNames apply together, without a maximum length")
    func shortestNames() throws {
        let constraint = try Constraint(jsonSchema: #"{"propertyNames":{"minLength":3,"pattern":"^[é-ü]*$"}}"#)
        for name in ["éêü", String(repeating: "ö", count: 500)] {
            #expect(rejection(of: "{\"\(name)\":0}", by: constraint) == nil)
        }
        for name in ["éê", "abc", "éêa"] { #expect(rejection(of: "{\"\(name)\":0}", by: constraint) != nil) }
    }

    @Test("an array of unique strings cannot require more items than there are strings")
    func countedStrings() throws {
        func schema(_ count: Int) -> String {
            #"""
            {"type":"array","items":{"type":"string","pattern":"^[a-z]$|^[0-9é]$"},"uniqueItems":true,
            "minItems":\#(count)}
            """#
        }
        #expect(throws: Never.self) { try Constraint(jsonSchema: schema(37)) }
        #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema(38)) }
    }

    @Test("canonically equivalent strings with different bytes are different values")
    func canonicalEquivalence() throws {
        let constraint = try Constraint(
            jsonSchema: #"{"oneOf":[{"enum":["\u00e9","x"]},{"enum":["e\u0301","x"]}]}"#)
        for text in ["\"\u{e9}\"", "\"e\u{301}\""] { #expect(rejection(of: text, by: constraint) == nil) }
        #expect(rejection(of: "\"x\"", by: constraint) != nil)
    }
}
