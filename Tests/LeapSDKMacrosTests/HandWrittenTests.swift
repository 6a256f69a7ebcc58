import LeapConstraints
import LeapJSON
import LeapSDKMacros
import Testing

/// Types whose conformance is written by hand: the two documented members are enough.
@Suite struct HandWrittenTests {
    struct City: GeneratableType {
        var name: String
        static let typeDescription = "A city"
        static func jsonSchema() -> String {
            ##"{"type":"object","properties":{"name":{"$ref":"#/$defs/n"}},"required":["name"],"##
                + ##""additionalProperties":false,"$defs":{"n":{"type":"string","maxLength":9}}}"##
        }
    }

    class Country: GeneratableType {
        var capital: City
        init(capital: City) { self.capital = capital }
        static let typeDescription = ""
        static func jsonSchema() -> String { JSONSchemaGenerator.composedSchema(of: Country.self) }
        static var generationSchema: GenerationSchema {
            .object(
                title: "Country", description: typeDescription,
                properties: [.init("capital", City.self, description: "Where the government sits")])
        }
    }

    struct Broken: GeneratableType {
        static let typeDescription = "Not JSON"
        static func jsonSchema() -> String { "{" }
    }

    @Test func `a hand-written schema is returned unchanged`() {
        #expect(JSONSchemaGenerator.getJSONSchema(for: City.self) == City.jsonSchema())
    }

    @Test func `a hand-written schema keeps its definitions when it is part of another one`() throws {
        #expect(
            Country.jsonSchema() == """
                {"type":"object","title":"Country","properties":{"capital":{"description":"Where the government sits",\
                "allOf":[{"$ref":"#/$defs/City"}]}},"required":["capital"],"additionalProperties":false,"$defs":{"City":\
                {"type":"object","properties":{"name":{"$ref":"#/$defs/City/$defs/n"}},"required":["name"],\
                "additionalProperties":false,"$defs":{"n":{"type":"string","maxLength":9}}}}}
                """)
        _ = try Constraint(jsonSchema: Country.jsonSchema())
    }

    struct Named: GeneratableType {
        static let typeDescription = ""
        static func jsonSchema() -> String {
            ##"{"properties":{"default":{"$ref":"#/$defs/n"},"enum":{"default":{"$ref":"#"},"$ref":"#/$defs/n"}},"##
                + ##""$defs":{"n":{"type":"integer"}}}"##
        }
    }

    struct Identified: GeneratableType {
        static let typeDescription = ""
        static func jsonSchema() -> String {
            ##"{"$id":"https://example.com/h","properties":{"e":{"$ref":"#/$defs/n"}},"required":["e"],"##
                + ##""$defs":{"n":{"type":"integer"}}}"##
        }
    }

    /// The definition of a type in the schema of another type that has a property of it.
    private func definition<Value: GeneratableType>(of type: Value.Type, named name: String) throws -> JSONValue {
        let schema = try JSONValue(parsing: JSONSchemaGenerator.composedSchema(of: Holder<Value>.self))
        _ = try Constraint(jsonSchema: schema)
        return try #require(schema["$defs"]?[name])
    }

    @Test func `properties may be called like keywords of data`() throws {
        #expect(
            try definition(of: Named.self, named: "Named").text() == ##"""
                {"properties":{"default":{"$ref":"#/$defs/Named/$defs/n"},"enum":{"default":{"$ref":"#"},\##
                "$ref":"#/$defs/Named/$defs/n"}},"$defs":{"n":{"type":"integer"}}}
                """##)
    }

    @Test func `references in a schema with an identifier start from it`() throws {
        #expect(try definition(of: Identified.self, named: "Identified").text() == Identified.jsonSchema())
        let schema = JSONSchemaGenerator.composedSchema(of: Holder<Identified>.self)
        let constraint = try Constraint(jsonSchema: schema)
        for (text, isValid) in [(#"{"held":{"e":1}}"#, true), (#"{"held":{"e":""}}"#, false)] {
            var state = constraint.makeState()
            #expect((state.advance(text.utf8) == nil && state.isAccepting) == isValid)
        }
    }

    @Test func `an invalid hand-written schema is rejected when it is part of another one`() throws {
        let schema = JSONSchemaGenerator.getJSONSchema(for: [Broken].self)
        #expect(schema.contains("the schema of 'Broken' is not valid JSON"))
        #expect(throws: Never.self) { try JSONValue(parsing: schema) }
        let array =
            #"{"type":"array","minItems":1,"items":"# + JSONSchemaGenerator.composedSchema(of: Broken.self) + "}"
        #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: array) }
    }
}

/// A type that has a property of another one.
private struct Holder<Value: GeneratableType>: GeneratableType {
    let held: Value
    static var typeDescription: String { "" }
    static func jsonSchema() -> String { JSONSchemaGenerator.composedSchema(of: Self.self) }
    static var generationSchema: GenerationSchema {
        .object(title: "Holder", description: typeDescription, properties: [.init("held", Value.self)])
    }
}
