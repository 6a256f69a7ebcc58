import ArgumentParser
import Foundation
import LeapEngine
import LeapGeneration
import LeapHub
import LeapToolSupport

/// `leap speak`: speaks a text, or an answer.
struct SpeakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speak", abstract: "Writes a WAV file with a spoken text, or with a spoken answer.",
        discussion: """
            Requires a model with audio output, such as LFM2.5-Audio, with its vocoder and audio tokenizer. With \
            --answer, the text or --audio file is answered instead of read out, with interleaved text and speech; the \
            text goes to standard output.
            """)

    @Argument(help: "A GGUF file, or a model name, which is downloaded if necessary.", completion: .file())
    var model: String?

    @Argument(help: "The text; '-' reads standard input.")
    var text: String?

    @Option(
        name: [.customShort("o"), .long], help: "The WAV file to write: 16-bit samples at 24 kHz.",
        completion: .file())
    var output: String

    @Option(
        help: """
            The voice for reading out, one that the model was trained with: US male, US female, UK male, UK female \
            (default: US female).
            """)
    var voice: String?

    @Flag(help: "Answer with text and speech instead of reading out.")
    var answer = false

    @Option(
        name: .customLong("audio"),
        help: ArgumentHelp("A mono WAV file to answer, put before the text if there is one.", valueName: "file"),
        completion: .file())
    var sounds: [String] = []

    @Option(
        name: .customLong("system"),
        help: ArgumentHelp("System prompt, in place of the one that the model was trained with.", valueName: "text"))
    var instructions: String?

    @Option(
        parsing: .unconditional,
        help: "Temperature for audio codes; 0 takes the most likely code (default: 0.8, and 1 with --answer).")
    var audioTemperature: Float?

    @Option(help: "Keep this many of the most likely audio codes; 0: all (default: 64, and 4 with --answer).")
    var audioTopK: Int?

    @Option(help: "Random seed, for reproducible output.")
    var seed: UInt64?

    @Option(
        name: [.customShort("n"), .long], help: "Maximum number of text tokens and audio frames; a frame lasts 80 ms.")
    var maxTokens = 2048

    @OptionGroup var voiceFlags: VoiceFlags
    @OptionGroup var projector: ProjectorFlags
    @OptionGroup var computeFlags: ComputeFlags
    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup(title: "Download") var hub: HubFlags

    func validate() throws {
        if !sounds.isEmpty && !answer { throw ValidationError("--audio requires --answer.") }
        if voice != nil && (answer || instructions != nil) {
            throw ValidationError("--voice cannot be combined with \(answer ? "--answer" : "--system").")
        }
        if maxTokens < 1 { throw ValidationError("--max-tokens must be at least 1, not \(maxTokens).") }
        if let audioTopK, audioTopK < 0 { throw ValidationError("--audio-top-k must not be negative.") }
        if let audioTemperature, !(audioTemperature >= 0 && audioTemperature.isFinite) {
            throw ValidationError("--audio-temperature must be 0 or more.")
        }
    }

    func run() async throws {
        let name = try source.onlyModel(source.isGiven ? nil : model)
        let path = try await hub.bring(name).path
        try OutputPlace.check(output, inputs: name.inputs + [path] + sounds)
        let question = try self.question()
        var options = ModelOptions(path: path)
        voiceFlags.apply(to: &options)
        if sounds.isEmpty { options.projectorPath = nil } else { projector.apply(to: &options) }
        let engine = try ModelFailure.loading(path) { [options] in
            try Engine(options, compute: computeFlags.makeCompute())
        }
        let words = AnswerPrinter(isSilent: !answer)
        let spoken = try await ModelFailure.generating {
            let request = try engine.model().request(chat(question))
            return try await engine.answer(request, cancellation: CancellationFlag()) { words.print($0) }
        }
        words.finish()
        guard let sound = spoken.sound else {
            throw CommandError("the model generated no speech; its answer was '\(spoken.result.text)'")
        }
        try OutputFile.write(sound.bytes, to: output)
        Console.error(summary(spoken, seconds: try sound.seconds()))
        await engine.unload()
    }

    private func question() throws -> [Message.Part] {
        let argument = source.isGiven ? model : text
        let played = try sounds.map { Message.Part.sound(try MediaFile.sound($0)) }
        let text = try argument.map { $0 == "-" ? try InputFile.text("-") : $0 } ?? ""
        guard !played.isEmpty || !text.allSatisfy(\.isWhitespace) else {
            throw CommandError("there is no text to speak: give it after the model, or give '-' to read standard input")
        }
        return played + (text.isEmpty ? [] : [.text(text)])
    }

    /// The system prompt with which models were trained to answer in text and audio.
    static let answering = "Respond with interleaved text and audio."

    private func chat(_ question: [Message.Part]) -> ChatRequest {
        let trained =
            answer ? Self.answering : "Perform TTS. Use the \(voice ?? "US female") voice."
        var options = AnswerOptions()
        options.speech = .wanted
        options.speechOptions = SpeechOptions(
            order: answer ? .interleaved : .sequential, temperature: audioTemperature, topK: audioTopK)
        options.seed = seed
        options.maxTokens = maxTokens
        return ChatRequest([Message(.system, instructions ?? trained), Message(.user, question)], options)
    }

    private func summary(_ answer: Answer, seconds: Double) -> String {
        let statistics = answer.result.statistics
        let taken = (statistics.decodeDuration + statistics.timeToFirstToken) / .seconds(1)
        let end =
            answer.result.finishReason == .endOfGeneration ? "" : "; cut off after \(statistics.completionTokens) steps"
        return String(format: "wrote %@: %.1f s of sound, generated in %.1f s%@", output, seconds, taken, end)
    }
}
