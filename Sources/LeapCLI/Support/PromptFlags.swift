import ArgumentParser
import Foundation
import LeapToolSupport

/// The prompt for a model, and its instructions.
struct PromptFlags: ParsableArguments {
    @Option(name: [.customShort("p"), .long], parsing: .unconditional, help: "The prompt.")
    private var prompt: String?

    @Option(
        name: [.customShort("f"), .long],
        help: ArgumentHelp("A file or pipe with the prompt, or with text to append to it.", valueName: "file"),
        completion: .file())
    private var file: String?

    @Option(
        name: [.customLong("sys", withSingleDash: true), .long], parsing: .unconditional, help: "The system prompt.")
    private var systemPrompt: String?

    @Option(
        name: [.customLong("sysf", withSingleDash: true), .long],
        help: ArgumentHelp("A file with the system prompt.", valueName: "file"), completion: .file())
    private var systemPromptFile: String?

    @Flag(name: .shortAndLong, help: #"Interpret the escape sequences \n, \r, \t, \", \' and \\ in prompts."#)
    private var escape = false

    func validate() throws {
        if systemPrompt != nil && systemPromptFile != nil {
            throw ValidationError("Give either -sys or -sysf, not both.")
        }
    }

    /// Whether the system prompt is read from standard input.
    var readsInput: Bool { systemPromptFile == "-" }

    /// Whether the prompt, or a part of it, is explicitly read from standard input.
    func asksInput(argument: String?) -> Bool { (prompt ?? argument) == "-" || file == "-" }

    /// Whether there is a prompt.
    var isGiven: Bool { prompt != nil || file != nil }

    /// Whether there is a system prompt.
    var hasSystemPrompt: Bool { systemPrompt != nil || systemPromptFile != nil }

    /// The system prompt; `nil` if none was given.
    func systemText() throws -> String? {
        try systemPrompt.map(unescaped) ?? systemPromptFile.map { try InputFile.prompt($0) }
    }

    /// Checks that the prompt is given only once.
    ///
    /// - Parameter argument: The prompt as an argument.
    func check(argument: String?) throws {
        if prompt != nil && argument != nil {
            throw ValidationError("Give the prompt either as an argument or with -p.")
        }
        if (prompt ?? argument) == "-" && file != nil { throw ValidationError("Give either - or -f, not both.") }
    }

    /// The prompt, followed by the contents of a file or standard input, separated by an empty line.
    ///
    /// - Parameters:
    ///   - argument: The prompt as an argument; `-` is standard input.
    ///   - takesPipe: Whether standard input is appended to a prompt that was given otherwise.
    /// - Returns: `nil` if nothing is given at all.
    func text(argument: String?, takesPipe: Bool) throws -> String? {
        guard let words = prompt ?? argument else { return try file.map { try InputFile.prompt($0) } }
        if words == "-" { return try InputFile.prompt("-") }
        let more = try file.map { try InputFile.prompt($0) } ?? (takesPipe ? try StandardInput.text() : nil)
        return [unescaped(words), more ?? ""].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private func unescaped(_ text: String) -> String { escape ? Escapes.replaced(in: text) : text }
}

/// Characters that are hard to type in a shell.
enum Escapes {
    private static let meanings: [Character: Character] = [
        "n": "\n", "r": "\r", "t": "\t", "'": "'", "\"": "\"", "\\": "\\",
    ]

    /// A text with its escape sequences replaced. Invalid ones are left unchanged.
    static func replaced(in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, let meaning = meanings[next] {
                result.append(meaning)
                rest.removeFirst()
            } else {
                result.append(character)
            }
        }
        return result
    }
}
