import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Logging

/// What lets a model take in other things than text, and give them.
struct Senses: Sendable {
    /// What lets it see; `nil` where it does not.
    var vision: Vision?
    /// What lets it hear; `nil` where it does not.
    var hearing: Hearing?
    /// What lets it speak; `nil` where it does not.
    var speaking: Speaking?

    /// Opens the projector and the voice that the options name. A projector that is not required and cannot be used is left
    /// out.
    ///
    /// - Throws: `GGUFError`, `ModelError`, or ``EngineError`` where a file belongs to another model.
    static func load(
        _ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer, _ compute: Compute
    ) throws -> Senses {
        var senses = try openProjector(options, for: model, tokenizer, compute)
        do { senses.speaking = try Speaking.load(options, for: model, tokenizer) } catch  where !options.requiresVoice {
            Logger(label: "leap.model").info("'\(options.vocoderPath ?? "")' is not used: \(error)")
        }
        return senses
    }

    private static func openProjector(
        _ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer, _ compute: Compute
    ) throws -> Senses {
        guard let path = options.projectorPath else { return Senses() }
        do { return try open(path, options, for: model, tokenizer, compute) } catch {
            // Contradictory token limits are the caller's error, not the file's.
            if case EngineError.pictureTokens = error { throw error }
            guard !options.requiresProjector else { throw error }
            Logger(label: "leap.model").info("'\(path)' is not used: \(error)")
            return Senses()
        }
    }

    private static func open(
        _ path: String, _ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer, _ compute: Compute
    ) throws -> Senses {
        let file = try GGUFFile(path: path, useMmap: options.usesMmap, catchesBusErrors: options.catchesBusErrors)
        let projector = ProjectorFile(file)
        let hears = AudioEncoder.isDeclared(in: file)
        var senses = Senses()
        if hears {
            let encoder: AudioEncoder
            do { encoder = try AudioEncoder(file) } catch { throw EngineError.projector(path: path, error) }
            try check(encoder.configuration.outputLength, model.configuration.embeddingLength)
            senses.hearing = Hearing(encoder, projector, compute)
        }
        // A file that declares neither encoder is refused as a broken image encoder.
        if !hears || VisionEncoder.isDeclared(in: file) {
            senses.vision = try Vision.open(projector, options, for: model, tokenizer, compute)
        }
        return senses
    }

    /// Checks that rows are as long as the model's.
    static func check(_ rowLength: Int, _ embeddingLength: Int) throws(EngineError) {
        guard rowLength == embeddingLength else {
            throw .projectorOfAnotherModel(rowLength: rowLength, embeddingLength: embeddingLength)
        }
    }

    /// Messages whose sounds a prompt can have.
    func recalling(_ messages: [Message]) -> [Message] { speaking?.recalling(messages) ?? messages }

    /// The sounds of messages, in their order.
    func sounds(of messages: [Message]) throws -> [PromptSound] {
        try messages.flatMap { message in
            try message.sounds.map { sound in
                if message.role == .assistant, let answer = speaking?.answer(sound) { return .spoken(answer) }
                guard hearing != nil else { throw EngineError.hearsNothing }
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
            case .heard(let sound): try hearing?.append(sound, number: index + 1, to: &prompt)
            case .spoken(let answer): speaking?.append(answer, to: &prompt)
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
