import Foundation
import LeapJSON
import Testing
import _LeapProcessTestSupport

/// Schemas on the command line: the output that they allow, and what happens when tokens run out.
@Suite("Schemas on the command line")
struct SchemaFlagTests {
    private static let schema = """
        {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["age"]}
        """
    private static let question = ["run", "-p", "Anna is 31 years old.", "-j", schema]

    @Test("An answer cut off inside its constraint is an error, but is printed with --json")
    func cut() async throws {
        let outcome = try await Tool.leap.run(Self.question + ["-n", "3"])
        #expect(outcome.status == 1)
        #expect(outcome.errorText.contains("error: the answer was cut off before it satisfied its constraint"))
        let report = try await Tool.leap.run(Self.question + ["-n", "3", "--json"])
        #expect(report.status == 0)
        #expect(try JSONValue(parsing: report.text)["finishReason"] == "length_in_constraint")
    }

    @Test("A complete answer has the declared members")
    func whole() async throws {
        let outcome = try await Tool.leap.run(Self.question)
        #expect(outcome.status == 0)
        let members = try #require(try JSONValue(parsing: outcome.text).dictionary)
        #expect(Set(members.keys).isSubset(of: ["name", "age"]) && members["age"] != nil)
    }

    @Test("constrain checks texts against the schema, or with --as-generated against possible answers")
    func instances() async throws {
        let text = Data(#""{\"age\": 1, \"x\": 2}""#.utf8)
        func verdict(_ flags: [String]) async throws -> String {
            try await Tool.leap.run(["constrain", "-j", Self.schema, "--instances", "-"] + flags, input: text).text
        }
        #expect(try await verdict([]) == "accept\n")
        #expect(try await verdict(["--as-generated"]) == "reject 9\n")
        #expect(try await verdict(["--as-generated", "--additional-properties"]) == "accept\n")
    }

    @Test("true and false are accepted as schemas")
    func flags() async throws {
        let outcome = try await Tool.leap.run(
            ["constrain", "-j", "true", "--instances", "-"], input: Data(#""1""#.utf8))
        #expect(outcome.text == "accept\n")
        let refusal = try await Tool.leap.run(
            ["constrain", "-j", "false", "--instances", "-"], input: Data(#""1""#.utf8))
        #expect((refusal.text + refusal.errorText).contains("permits nothing"))
    }
}
