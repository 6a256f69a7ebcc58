import ArgumentParser
import Foundation
import LeapConstraints
import LeapJSON
import LeapToolSupport

/// `leap constrain`: compiles a constraint and checks which texts satisfy it.
struct ConstrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "constrain", abstract: "Compiles a constraint and checks which texts satisfy it.",
        discussion: """
            Prints one line per instance: 'accept', or 'reject' and the offset of the first byte that violates the \
            constraint (the instance's length if it ends too early). For a constraint that cannot be enforced, prints \
            one line, 'refused' with the keyword's JSON pointer, the keyword and the reason, and exits with code 65.

            A schema has its standard meaning here: properties may be in any order, and undeclared ones are allowed. \
            With --as-generated, it accepts only what 'leap run' would generate.
            """)

    @OptionGroup var flags: ConstraintFlags

    @Flag(help: "Read a schema as for generation: properties in order, and only those that it declares or requires.")
    var asGenerated = false

    @Option(
        help: "A file with one JSON string per line, each a text to check; '-' reads standard input.",
        completion: .file())
    var instances: String?

    func validate() throws {
        if flags.count == 0 { throw ValidationError(ConstraintFlags.choice) }
        if flags.readsInput, instances == "-" {
            throw ValidationError("Standard input cannot be both the constraint and the instances.")
        }
    }

    func run() throws {
        let constraint: Constraint
        do { constraint = try flags.compiled(asGenerated: asGenerated) } catch let error as ConstraintError {
            Console.line("refused \(Self.text(of: error))")
            throw ExitCode(EX_DATAERR)
        }
        for keyword in constraint.unknownKeywords {
            Console.error("note: \(keyword) is not a known JSON Schema keyword or format, and is ignored")
        }
        guard let instances else { return }
        for (number, line) in try InputFile.bytes(instances).split(separator: UInt8(ascii: "\n")).enumerated() {
            Console.line(Self.verdict(on: try text(line, number + 1), constraint))
        }
    }

    private func text(_ line: Data, _ number: Int) throws -> String {
        let value: JSONValue
        do { value = try JSONValue(parsing: line) } catch { throw CommandError("instance \(number): \(error)") }
        guard let text = value.string else { throw CommandError("instance \(number): expected a JSON string") }
        return text
    }

    static func verdict(on text: String, _ constraint: Constraint) -> String {
        var state = constraint.makeState()
        if let byte = state.advance(text.utf8) { return "reject \(byte)" }
        return state.isAccepting ? "accept" : "reject \(text.utf8.count)"
    }

    /// What was rejected, where, and why, in this order.
    static func text(of error: ConstraintError) -> String {
        switch error {
        case .schema(let pointer, let keyword, let reason): "\(pointer) \(keyword): \(reason)"
        case .regex(let position, let reason): "\(position) regex: \(reason)"
        case .grammar(let line, let column, let reason): "\(line):\(column) gbnf: \(reason)"
        case .invalidJSON, .tooLarge, .unsatisfiable: "# \(error.description)"
        }
    }
}
