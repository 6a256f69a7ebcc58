import ArgumentParser
import Foundation
import LeapEngine
import LeapGeneration
import LeapHub
import LeapJSON
import LeapToolSupport
import OrderedCollections

/// `leap listen`: transcribes many files.
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Transcribes the speech in WAV files or folders of WAV files.",
        discussion: """
            Prints one line per file: its name, a tab and the text. Files are processed in the order given, those in a \
            folder by name. Files that cannot be transcribed are reported on standard error and skipped; transcripts \
            that were cut off are reported there, too. Requires a \
            model with audio input and its projector. Files must be mono, 8 to 192 kHz, with samples of 16, 24 or 32 \
            bits or 32-bit floats.
            """)

    @Argument(help: "A GGUF file, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Argument(help: "WAV files, or folders of WAV files.", completion: .file())
    var paths: [String] = []

    @Option(help: "The system prompt, in place of the one with which the model was trained to transcribe.")
    var system = "Perform ASR."

    @Flag(help: "Print one line of JSON per file: file, seconds, text, truncated (true if cut off), or error.")
    var json = false

    @Option(name: [.customShort("n"), .long], help: "Maximum number of tokens per transcript.")
    var maxTokens = 2048

    @OptionGroup var projector: ProjectorFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    /// The number of files that are transcribed together, so that decoding shares its passes.
    private static let company = 4

    func validate() throws {
        if maxTokens < 1 { throw ValidationError("--max-tokens must be at least 1, not \(maxTokens).") }
    }

    func run() async throws {
        let path = try await hub.bring(source.onlyModel(source.isGiven ? nil : model)).path
        let files = try Self.files((source.isGiven ? model.map { [$0] } ?? [] : []) + paths)
        var options = ModelOptions(path: path)
        projector.apply(to: &options)
        let engine = try ModelFailure.loading(path) { [options] in
            try Engine(options, compute: computeFlags.makeCompute())
        }
        guard try engine.model().audioInput != nil else {
            throw CommandError(Failure.text(of: EngineError.hearsNothing))
        }
        var failures = 0
        for start in stride(from: 0, to: files.count, by: Self.company) {
            let group = Array(files[start..<min(start + Self.company, files.count)])
            for heard in await hear(group, engine) where !report(heard) { failures += 1 }
        }
        await engine.unload()
        guard failures == 0 else { throw CommandError("\(failures) of \(files.count) files could not be transcribed") }
    }

    /// The files that arguments name, including the WAV files in folders.
    private static func files(_ arguments: [String]) throws -> [String] {
        guard !arguments.isEmpty else {
            throw CommandError("no input: give WAV files, or a folder of WAV files")
        }
        return try arguments.flatMap { argument -> [String] in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder), isFolder.boolValue else {
                return [argument]
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: argument).sorted()
            let files = names.filter { $0.lowercased().hasSuffix(".wav") }.map {
                URL(filePath: argument).appending(path: $0).path
            }
            guard !files.isEmpty else { throw CommandError("'\(argument)' contains no WAV files") }
            return files
        }
    }

    /// The transcript of a file.
    private struct Transcript: Sendable {
        let seconds: Double
        let text: String
        /// Why it was cut off, and what to do; `nil` for a whole one.
        let cut: String?
    }

    /// What became of a file.
    private struct Heard: Sendable {
        let file: String
        let result: Result<Transcript, any Error>
    }

    /// Transcribes several files in parallel, and reports them in order.
    private func hear(_ files: [String], _ engine: Engine) async -> [Heard] {
        await withTaskGroup(of: (Int, Heard).self) { group in
            for (index, file) in files.enumerated() {
                // Both paths share one return: with two, the compiler's optimiser (6.3) loses the index.
                group.addTask {
                    let result: Result<Transcript, any Error>
                    do { result = .success(try await hear(file, engine)) } catch { result = .failure(error) }
                    return (index, Heard(file: file, result: result))
                }
            }
            var heard: [(Int, Heard)] = []
            for await one in group { heard.append(one) }
            return heard.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func hear(_ file: String, _ engine: Engine) async throws -> Transcript {
        let sound = try MediaFile.sound(file)
        var options = AnswerOptions()
        options.sampling.temperature = 0
        options.maxTokens = maxTokens
        options.calls = .none
        let chat = ChatRequest([Message(.system, system), Message(.user, [.sound(sound)])], options)
        let request = try engine.model().request(chat)
        let answer = try await engine.answer(request, cancellation: CancellationFlag()) { _ in }
        return Transcript(
            seconds: try sound.seconds(), text: answer.result.text.trimmingCharacters(in: .whitespacesAndNewlines),
            cut: cut(answer.result.finishReason))
    }

    private func cut(_ reason: FinishReason) -> String? {
        switch reason {
        case .maxTokens, .maxTokensInConstraint: "it has \(maxTokens) tokens: use a larger -n, or split the file"
        case .contextFull: "the context is full: split the file"
        case .endOfGeneration, .stopString, .cancelled: nil
        }
    }

    /// Reports a file; returns whether it was transcribed.
    private func report(_ heard: Heard) -> Bool {
        switch heard.result {
        case .success(let transcript):
            Console.line(
                json
                    ? Self.object(heard.file, transcript).text()
                    : "\(heard.file)\t\(transcript.text.replacing("\n", with: " "))")
            if let cut = transcript.cut { Console.error("note: the transcript of '\(heard.file)' was cut off: \(cut)") }
            return true
        case .failure(let error):
            let text = Failure.text(of: error)
            if json { Console.line((["file": .string(heard.file), "error": .string(text)] as JSONValue).text()) }
            Console.error("'\(heard.file)': \(text)")
            return false
        }
    }

    /// A transcript as a line of JSON.
    private static func object(_ file: String, _ transcript: Transcript) -> JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [
            "file": .string(file), "seconds": .number(transcript.seconds), "text": .string(transcript.text),
        ]
        if transcript.cut != nil { members["truncated"] = true }
        return .object(members)
    }
}
