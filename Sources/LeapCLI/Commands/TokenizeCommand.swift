import ArgumentParser
import Foundation
import LeapGGUF
import LeapJSON
import LeapTokenizer
import LeapToolSupport

/// `leap tokenize`: converts text to token ids. Works on vocabulary-only files.
struct TokenizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokenize", abstract: "Prints the token ids of a text.",
        discussion: "A model that is not on this machine is not downloaded.")

    @Argument(
        help: "A GGUF file (a vocabulary-only one will do), or the name of a downloaded model.",
        completion: .file())
    var model: String?

    @Argument(help: "The text; '-' or no text reads standard input.")
    var text: String?

    @Option(name: [.customShort("p"), .long], parsing: .unconditional, help: "The text, in place of the argument.")
    var prompt: String?

    @Option(
        name: [.customShort("f"), .long], help: "A file with the text; '-' reads standard input.", completion: .file())
    var file: String?

    /// llama-tokenize's flag for what happens without a text.
    @Flag(name: .customLong("stdin"), help: .hidden)
    var readsInput = false

    @Flag(name: [.long, .customLong("ids")], help: "Print a JSON array of ids.")
    var json = false

    @Flag(help: "Print the number of ids after them.")
    var showCount = false

    @Flag(help: "Read one JSON string per line, print one JSON array per line.")
    var jsonl = false

    @Flag(name: .customLong("no-bos"), help: "Do not add BOS and EOS tokens.")
    var noBOS = false

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    @Flag(
        name: [.customLong("no-special"), .customLong("no-parse-special")],
        help: "Treat special tokens in the text as plain text.")
    var noSpecial = false

    @OptionGroup var foreign: ForeignFlags

    func validate() throws {
        if json && jsonl { throw ValidationError("--json and --jsonl cannot be combined.") }
        let argument = source.isGiven ? model : text
        let given = [argument, prompt, file, readsInput ? "-" : nil].compactMap(\.self)
        if jsonl, !given.allSatisfy({ $0 == "-" }) {
            throw ValidationError("--jsonl reads standard input, not an argument.")
        }
        if given.count > 1 { throw ValidationError("Give the text either as an argument, or with -p, -f or --stdin.") }
    }

    func run() async throws {
        try foreign.heed()
        let (name, argument) = try source.model(model, text)
        let tokenizer = try await hub.withFile(of: name) { try Tokenizer(metadata: $0.metadata).afterWarnings }
        if jsonl { return try tokenizeLines(tokenizer) }
        let text = prompt ?? argument
        let bytes = try text.flatMap { $0 == "-" ? nil : Data($0.utf8) } ?? InputFile.bytes(file ?? "-")
        let ids = tokenizer.encode(utf8: bytes, addSpecial: !noBOS, parseSpecial: !noSpecial)
        if json {
            Console.line(Self.json(ids))
        } else {
            for id in ids { Console.line("\(id)\t\(Self.quoted(tokenizer.text(of: id) ?? ""))") }
        }
        if showCount { Console.line("Total number of tokens: \(ids.count)") }
    }

    private func tokenizeLines(_ tokenizer: Tokenizer) throws {
        let lines = try Console.readInput().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.isEmpty {
            let value: JSONValue
            do { value = try JSONValue(parsing: line) } catch {
                throw CommandError("line \(number + 1): \(error)")
            }
            guard case .string(let text) = value else {
                throw CommandError("line \(number + 1): expected a JSON string")
            }
            Console.line(Self.json(tokenizer.encode(text, addSpecial: !noBOS, parseSpecial: !noSpecial)))
        }
    }

    private static func json(_ ids: [Token]) -> String {
        "[" + ids.map(String.init).joined(separator: ",") + "]"
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).text() }
}

/// `leap detokenize`: converts token ids to text.
struct DetokenizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detokenize", abstract: "Prints the text of token ids, with no newline added.",
        discussion: "A model that is not on this machine is not downloaded.")

    @Argument(
        help: "A GGUF file (a vocabulary-only one will do), or the name of a downloaded model.",
        completion: .file())
    var model: String?

    @Argument(help: "Token ids, separated by commas or spaces; '-' or no ids read standard input.")
    var ids: [String] = []

    @Flag(name: .customLong("no-special"), help: "Omit special tokens.")
    var noSpecial = false

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func run() async throws {
        let (name, first) = try source.model(model, source.isGiven ? nil : ids.first)
        let ids = (first.map { [$0] } ?? []) + (source.isGiven ? ids : Array(ids.dropFirst()))
        let tokenizer = try await hub.withFile(of: name) { try Tokenizer(metadata: $0.metadata).afterWarnings }
        let text =
            ids.isEmpty || ids == ["-"]
            ? String(decoding: try Console.readInput(), as: UTF8.self) : ids.joined(separator: ",")
        let tokens = try TokenList.parse(text)
        for token in tokens where token < 0 || Int(token) >= tokenizer.vocabularySize {
            throw CommandError(
                "token \(token) is not in the vocabulary (ids 0 to \(tokenizer.vocabularySize - 1))")
        }
        Console.write(
            tokenizer.decode(tokens, renderSpecial: !noSpecial, cleanUpSpaces: tokenizer.cleansUpSpaces))
    }
}
