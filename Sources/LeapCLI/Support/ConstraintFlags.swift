import ArgumentParser
import Foundation
import LeapConstraints
import LeapEngine
import LeapToolSupport

/// The constraint on an answer, or on a text to check.
struct ConstraintFlags: ParsableArguments {
    @Option(
        name: [.customShort("j"), .long],
        help: ArgumentHelp("A JSON Schema, or a file with one; '-' reads standard input.", valueName: "schema"),
        completion: .file())
    private var jsonSchema: String?

    @Option(
        name: [.customLong("jf", withSingleDash: true), .long],
        help: ArgumentHelp("A file with a JSON Schema.", valueName: "file"), completion: .file())
    private var jsonSchemaFile: String?

    @Option(
        parsing: .unconditional, help: "An ECMA-262 regular expression that the whole text must match.")
    private var regex: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A grammar in GBNF.", valueName: "gbnf"))
    private var grammar: String?

    @Option(
        name: [.customLong("grammar-file"), .customLong("gbnf")],
        help: ArgumentHelp("A file with a grammar in GBNF.", valueName: "file"), completion: .file())
    private var grammarFile: String?

    @Flag(
        help: """
            Allow properties that the schema neither declares nor requires, as 'leap constrain' does without \
            --as-generated.
            """)
    private var additionalProperties = false

    /// The message if there is none, or more than one.
    static let choice = "Give one of --json-schema, --json-schema-file, --regex, --grammar and --grammar-file."

    func validate() throws {
        if count > 1 { throw ValidationError(Self.choice) }
        if additionalProperties && jsonSchema == nil && jsonSchemaFile == nil {
            throw ValidationError("--additional-properties requires --json-schema or --json-schema-file.")
        }
    }

    /// How many are given.
    var count: Int { [jsonSchema, jsonSchemaFile, regex, grammar, grammarFile].count { $0 != nil } }

    /// Whether one of them is standard input.
    var readsInput: Bool { [jsonSchema, jsonSchemaFile, grammarFile].contains("-") }

    /// The constraint.
    ///
    /// - Parameter asGenerated: Whether a schema is read as for answers instead of as the standard defines it.
    /// - Throws: `ConstraintError` for one that cannot be enforced.
    func compiled(asGenerated: Bool) throws -> Constraint {
        if let regex { return try Constraint(regex: regex) }
        if let gbnf = try gbnf() { return try Constraint(gbnf: gbnf) }
        var reading = asGenerated ? SchemaReading.generation : .standard
        if additionalProperties { reading.permitsUndeclared = true }
        return try Constraint(jsonSchema: try schema() ?? "", reading: reading)
    }

    /// The constraint of a generation; `nil` if there is none.
    func source() throws -> ConstraintSource? {
        if let regex { return .regex(regex) }
        if let gbnf = try gbnf() { return .grammar(gbnf) }
        return try schema().map { .jsonSchema($0, permitsUndeclared: additionalProperties) }
    }

    private func gbnf() throws -> String? { try grammar ?? grammarFile.map { try InputFile.text($0) } }

    /// The schema's text; an argument that begins like a schema is not a file name.
    private func schema() throws -> String? {
        if let jsonSchemaFile { return try InputFile.text(jsonSchemaFile) }
        return try jsonSchema.map { argument in
            let text = argument.trimmingCharacters(in: .whitespacesAndNewlines)
            return text.hasPrefix("{") || ["true", "false"].contains(text) ? argument : try InputFile.text(argument)
        }
    }
}
