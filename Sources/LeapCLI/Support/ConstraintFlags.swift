import ArgumentParser
import Foundation
import LeapConstraints
import LeapSDK

/// What an answer, or a text to try, must be.
struct ConstraintFlags: ParsableArguments {
    @Option(
        name: [.customShort("j"), .long],
        help: "A JSON Schema, or a file with one; '-' reads standard input.")
    var jsonSchema: String?

    @Option(parsing: .unconditional, help: "A regular expression of ECMA-262, which whole texts must match.")
    var regex: String?

    @Option(help: "A file with a grammar in GBNF.")
    var gbnf: String?

    func validate() throws {
        if count > 1 { throw ValidationError("Give one of --json-schema, --regex and --gbnf.") }
    }

    /// How many are given.
    var count: Int { [jsonSchema, regex, gbnf].count { $0 != nil } }

    /// The constraint.
    ///
    /// - Throws: `ConstraintError` for one that cannot be enforced.
    func compiled() throws -> Constraint {
        if let regex { return try Constraint(regex: regex) }
        if let gbnf { return try Constraint(gbnf: try InputFile.text(gbnf)) }
        return try Constraint(jsonSchema: try schema() ?? "")
    }

    /// Sets the constraint of a generation.
    func apply(to options: GenerationOptions) throws {
        options.jsonSchemaConstraint = try schema()
        options.regexConstraint = regex
        options.grammarConstraint = try gbnf.map { try InputFile.text($0) }
    }

    /// The schema's text; an argument that begins like one is no file's name.
    private func schema() throws -> String? {
        try jsonSchema.map { argument in
            let isText = argument.drop { $0.isWhitespace }.first == "{"
            return isText ? argument : try InputFile.text(argument)
        }
    }
}
