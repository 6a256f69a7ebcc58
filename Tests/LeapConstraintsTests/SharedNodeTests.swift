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

    @Test(
        "a schema that has one name in two Unicode spellings is rejected",
        arguments: [
            (#"{"properties":{"\u00e9":{}},"required":["e\u0301"]}"#, "#/required/0"),
            (#"{"dependentRequired":{"\u00e9":["e\u0301"]}}"#, "#/dependentRequired/\u{e9}/0"),
            (#"{"allOf":[{"required":["\u00e9"]},{"properties":{"e\u0301":{}}}]}"#, "#/allOf/1/properties"),
            (#"{"enum":[{"\u00e9":1}],"properties":{"e\u0301":{}}}"#, "#/properties"),
        ])
    func spellings(_ schema: String, _ place: String) {
        let error = #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema) }
        guard case .schema(place, _, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(#"'e\u{0301}', which is spelled '\u{00E9}'"#))
    }

    @Test(
        "a schema with two spellings of one name in one object is rejected",
        arguments: ["properties", "patternProperties"])
    func mergedNames(_ keyword: String) {
        let schema = #"{"\#(keyword)":{"\u00e9":{"type":"integer"},"e\u0301":{}}}"#
        #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema) }
    }

    @Test(
        "another Unicode spelling of a declared name is another name",
        arguments: [
            (#"{"required":["\u00e9"]}"#, "\u{e9}", "e\u{301}"),
            (
                #"{"anyOf":[{"properties":{"\u00e9":true}},{"properties":{"x":true}}],"unevaluatedProperties":false}"#,
                "\u{e9}", "e\u{301}"
            ),
            // Branches that no grammar negates are judged on complete values.
            (
                #"{"oneOf":[{"required":["\u00e9"],"uniqueItems":true},"#
                    + #"{"required":["y"],"patternProperties":{"q":true}}]}"#,
                "\u{e9}", "e\u{301}"
            ),
            (
                #"{"oneOf":[{"dependentSchemas":{"\u00e9":false},"uniqueItems":true},"#
                    + #"{"required":["y"],"patternProperties":{"q":true}}]}"#,
                "e\u{301}", "\u{e9}"
            ),
            (
                #"{"oneOf":[{"properties":{"\u00e9":false},"uniqueItems":true},"#
                    + #"{"required":["y"],"patternProperties":{"q":true}}]}"#,
                "e\u{301}", "\u{e9}"
            ),
        ])
    func otherSpelling(_ schema: String, _ valid: String, _ invalid: String) throws {
        let constraint = try Constraint(jsonSchema: schema)
        #expect(rejection(of: "{\"\(valid)\":1}", by: constraint) == nil)
        #expect(rejection(of: "{\"\(invalid)\":1}", by: constraint) != nil)
    }

    @Test("an object with a name in two spellings is never judged as if it had it once")
    func judgedSpellings() throws {
        let constraint = try Constraint(jsonSchema: #"{"type":"array","uniqueItems":true}"#)
        #expect(rejection(of: "[{\"\u{e9}\":1},{\"e\u{301}\":1}]", by: constraint) == nil)
        #expect(rejection(of: "[{\"\u{e9}\":1,\"e\u{301}\":2},{\"e\u{301}\":2}]", by: constraint) != nil)
    }
}
