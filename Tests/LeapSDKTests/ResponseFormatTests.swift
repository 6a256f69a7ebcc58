import Foundation
import LeapSDK
import Testing

/// Imports only LeapSDK, which exports the types of LeapSDKMacros too.
@Suite struct ResponseFormatTests {
    struct Answer: GeneratableType {
        let number: Int
        static let typeDescription = "A number"
        static func jsonSchema() -> String {
            #"{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}"#
        }
    }

    struct Broken: GeneratableType {
        static let typeDescription = ""
        static func jsonSchema() -> String { "a number, please" }
    }

    @Test func `a type sets the schema constraint`() throws {
        var options = GenerationOptions(temperature: 0.2)
        try options.setResponseFormat(type: Answer.self)
        #expect(options.jsonSchemaConstraint == Answer.jsonSchema())
        options = GenerationOptions()
        try options.setResponseFormat(type: [Answer].self)
        #expect(options.jsonSchemaConstraint == #"{"type":"array","items":\#(Answer.jsonSchema())}"#)
    }

    @Test func `an invalid schema is rejected and changes nothing`() {
        let options = GenerationOptions(jsonSchemaConstraint: "{}")
        let error = #expect(throws: LeapError.self) { try options.setResponseFormat(type: Broken.self) }
        #expect(
            error.map { "\($0)" }?.hasPrefix("the generation failed: the schema of 'Broken' is not valid JSON: ")
                == true
        )
        #expect(options.jsonSchemaConstraint == "{}")
    }
}
