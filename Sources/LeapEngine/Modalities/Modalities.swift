import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Logging

/// What lets a model see, hear and speak, besides reading and writing text.
struct Modalities: Sendable {
    /// What lets it see; `nil` if it does not.
    var vision: Vision?
    /// What lets it hear; `nil` if it does not.
    var audioInput: AudioInput?
    /// What lets it speak; `nil` if it does not.
    var speechOutput: SpeechOutput?
    /// The projector's file; `nil` without one.
    private var projector: GGUFFile?

    /// The files that are read while it sees, hears and speaks.
    var files: [GGUFFile] { [projector].compactMap(\.self) + (speechOutput?.voice.files ?? []) }

    /// Opens the projector and the voice that the options name. A projector that is not required and cannot be used is left
    /// out.
    ///
    /// - Throws: `GGUFError`, `ModelError`, or ``EngineError`` if a file belongs to another model.
    static func load(
        _ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer, _ compute: Compute
    ) throws -> Modalities {
        var modalities = try openProjector(options, for: model, tokenizer, compute)
        do { modalities.speechOutput = try SpeechOutput.load(options, for: model, tokenizer) } catch
            where !options.requiresVoice
        {
            Logger(label: "leap.model").info("'\(options.vocoderPath ?? "")' is not used: \(error)")
        }
        return modalities
    }

    private static func openProjector(
        _ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer, _ compute: Compute
    ) throws -> Modalities {
        guard let path = options.projectorPath else { return Modalities() }
        do { return try open(path, options, for: model, tokenizer, compute) } catch {
            // Contradictory token limits are the caller's error, not the file's.
            if case EngineError.pictureTokens = error { throw error }
            guard !options.requiresProjector else { throw error }
            Logger(label: "leap.model").info("'\(path)' is not used: \(error)")
            return Modalities()
        }
    }

    private static func open(
        _ path: String, _ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer, _ compute: Compute
    ) throws -> Modalities {
        let file = try GGUFFile(path: path, useMmap: options.usesMmap, catchesBusErrors: options.catchesBusErrors)
        let projector = ProjectorFile(file)
        let hears = AudioEncoder.isDeclared(in: file)
        var modalities = Modalities()
        modalities.projector = file
        if hears {
            let encoder: AudioEncoder
            do { encoder = try AudioEncoder(file) } catch { throw EngineError.projector(path: path, error) }
            try check(encoder.configuration.outputLength, model.configuration.embeddingLength)
            modalities.audioInput = AudioInput(encoder, projector, compute)
        }
        // A file that declares neither encoder is refused as a broken image encoder.
        if !hears || VisionEncoder.isDeclared(in: file) {
            modalities.vision = try Vision.open(projector, options, for: model, tokenizer, compute)
        }
        return modalities
    }

    /// Checks that rows are as long as the model's.
    static func check(_ rowLength: Int, _ embeddingLength: Int) throws(EngineError) {
        guard rowLength == embeddingLength else {
            throw .projectorOfAnotherModel(rowLength: rowLength, embeddingLength: embeddingLength)
        }
    }

    /// Messages whose sounds a prompt can have.
    func recalling(_ messages: [Message]) -> [Message] { speechOutput?.recalling(messages) ?? messages }

    /// The sounds of messages, in their order.
    func sounds(of messages: [Message]) throws -> [PromptSound] {
        try messages.flatMap { message in
            try message.sounds.map { sound in
                if message.role == .assistant, let answer = speechOutput?.answer(sound) { return .spoken(answer) }
                guard audioInput != nil else { throw EngineError.hearsNothing }
                return .heard(sound)
            }
        }
    }

    /// A prompt with pictures and sounds in their places.
    ///
    /// - Parameters:
    ///   - pieces: The texts between sounds, with a place for every picture.
    ///   - limit: Tokens of the context, of which the answer needs at least one.
    /// - Throws: ``EngineError``, or `GenerationError` for a prompt that is too long.
    func prompt(
        _ pieces: [[Token]], showing pictures: [Picture], playing sounds: [PromptSound], limit: Int
    ) throws -> Prompt {
        var prompt = Prompt()
        var shown = 0
        for (index, piece) in pieces.enumerated() {
            if let vision, !pictures.isEmpty {
                shown += try vision.append(piece, showing: pictures[shown...], from: shown + 1, to: &prompt)
            } else {
                prompt.append(piece)
            }
            guard sounds.indices.contains(index) else { continue }
            switch sounds[index] {
            case .heard(let sound): try audioInput?.append(sound, number: index + 1, to: &prompt)
            case .spoken(let answer): speechOutput?.append(answer, to: &prompt)
            }
        }
        guard prompt.count < limit else {
            throw GenerationError.promptTooLong(promptTokens: prompt.count, contextLength: limit)
        }
        return prompt
    }
}

/// A sound in a prompt.
enum PromptSound {
    /// What is played to the model.
    case heard(Sound)
    /// The model's own speech, which is shown to it as text and codes.
    case spoken(SpokenAnswer)
}
