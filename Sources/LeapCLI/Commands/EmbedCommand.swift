import ArgumentParser
import Foundation
import LeapEngine
import LeapJSON
import LeapModels
import LeapToolSupport

/// `leap embed`: converts texts to vectors.
struct EmbedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embed", abstract: "Prints the embedding vectors of texts.",
        discussion: """
            Prints one vector per line, numbers separated by spaces. Without texts, reads one per line of standard input.
            """)

    @Argument(help: "A GGUF file, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Argument(help: "The texts.")
    var texts: [String] = []

    @Option(
        name: [.customShort("p"), .long], parsing: .unconditional,
        help: "The texts, one per line, in place of the arguments; empty lines are skipped.")
    var prompt: String?

    @Option(
        name: [.customShort("f"), .long],
        help: "A file with one text per line; empty lines are skipped. '-' reads standard input.",
        completion: .file())
    var file: String?

    @Flag(help: "Print one JSON object, in the shape of OpenAI's API.")
    var json = false

    /// llama-embedding's flag for its output.
    @Option(name: .customLong("embd-output-format"), help: .hidden)
    var format = Format.lines

    /// The outputs that it names.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, array
        /// One vector per line, as without the flag.
        case lines = ""
    }

    @Option(
        help: "Write the numbers as raw little-endian 32-bit floats to a file, vector after vector.",
        completion: .file())
    var raw: String?

    @OptionGroup var embedding: EmbeddingFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags
    @OptionGroup var foreign: ForeignFlags

    func validate() throws {
        if json && raw != nil { throw ValidationError("--json and --raw cannot be combined.") }
        if file != nil && !givenTexts.isEmpty {
            throw ValidationError("Give either texts or a file with -f, not both.")
        }
        if prompt != nil && (file != nil || !givenTexts.isEmpty) {
            throw ValidationError("Give the texts either with -p, or as arguments, or in a file with -f.")
        }
    }

    /// The arguments that are texts, including the first one if a flag names the model.
    private var givenTexts: [String] { (source.isGiven ? model.map { [$0] } ?? [] : []) + texts }

    func run() async throws {
        try foreign.heed()
        let name = try source.onlyModel(source.isGiven ? nil : model)
        let path = try await hub.bring(name).path
        if let raw { try OutputPlace.check(raw, inputs: name.inputs + [path] + [file].compactMap(\.self)) }
        let texts = try linesOrTexts()
        guard !texts.isEmpty else { throw CommandError("no text to embed") }
        let engine = try ModelFailure.loading(path) {
            try EmbeddingEngine.load(path: path, compute: try computeFlags.makeCompute())
        }
        let advice = "use an embedding model, or give a pooling type with --pooling: mean, cls, last or none"
        let results = try await EmbeddingFailure.naming(path, advice: advice) {
            try await engine.embed(texts, embedding.request)
        }
        if let raw { return try OutputFile.write(Self.bytes(of: results), to: raw) }
        switch json ? .json : format {
        case .json: Console.line(Self.document(results).text())
        case .array: Console.line(JSONValue.array(results.flatMap(\.vectors).map(Self.array)).text())
        case .lines: Console.write(Self.lines(results))
        }
    }

    private static func array(_ vector: [Float]) -> JSONValue { .array(vector.map { .number(Double($0)) }) }

    /// The texts to embed: the arguments, or the lines of the prompt, the file or standard input.
    private func linesOrTexts() throws -> [String] {
        guard givenTexts.isEmpty else { return givenTexts }
        return try (prompt ?? InputFile.text(file ?? "-")).nonemptyLines
    }

    private static func lines(_ results: [Embedding]) -> String {
        results.flatMap(\.vectors).map { $0.map(\.description).joined(separator: " ") + "\n" }.joined()
    }

    private static func document(_ results: [Embedding]) -> JSONValue {
        let data = results.enumerated().map { index, result -> JSONValue in
            let rows = result.vectors.map(array)
            let value = result.vectors.count == 1 ? rows[0] : .array(rows)
            return ["object": "embedding", "index": .integer(index), "embedding": value]
        }
        let count = JSONValue.integer(results.reduce(0) { $0 + $1.tokenCount })
        return [
            "object": "list", "data": .array(data), "usage": ["prompt_tokens": count, "total_tokens": count],
        ]
    }

    private static func bytes(of results: [Embedding]) -> Data {
        let words = results.flatMap(\.vectors).flatMap { $0.map(\.bitPattern.littleEndian) }
        return words.withUnsafeBytes { Data($0) }
    }
}

/// Embedding errors that do not name the model's file.
enum EmbeddingFailure {
    /// - Parameter advice: What to do if the pooling type is unknown.
    static func naming<Result>(
        _ path: String, advice: String, _ work: () async throws -> Result
    ) async throws -> Result {
        do { return try await work() } catch ModelError.unknownPooling(let key) {
            throw CommandError("'\(path)': the file specifies no pooling type (\(key)): \(advice)")
        } catch let error as ModelError {
            throw CommandError("'\(path)': \(error)")
        } catch let error as EmbeddingError {
            throw CommandError(error.description)
        }
    }
}

extension String {
    /// The lines that are not empty.
    fileprivate var nonemptyLines: [String] { split { $0 == "\n" || $0 == "\r\n" }.map(String.init) }
}
