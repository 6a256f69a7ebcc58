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

    @Test func `an invalid hand-written schema is rejected when it is part of another one`() throws {
        let schema = JSONSchemaGenerator.getJSONSchema(for: [Broken].self)
        #expect(schema.contains("the schema of 'Broken' is not valid JSON"))
        #expect(throws: Never.self) { try JSONValue(parsing: schema) }
        let array =
            #"{"type":"array","minItems":1,"items":"# + JSONSchemaGenerator.composedSchema(of: Broken.self) + "}"
        #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: array) }
    }
}
