import LeapGGUF
import LeapGeneration
public import LeapModels
import LeapTokenizer
import Logging

/// What lets a language model speak, and what it spokenAnswers.
public final class Speaking: Sendable {
    /// What makes its sound.
    public let voice: Voice
    /// Samples a second.
    public static let sampleRate = SpeechDetokenizer.sampleRate
    let marks: SpeechMarks
    private let model: LanguageModel
    private let usual: SpeechOptions
    private let spokenAnswers = SpokenAnswers()

    /// The word in a system message that asks for text and sound in turns.
    private static let interleavedWord = "interleaved"
    /// Temperature and top-k for audio codes, for interleaved and for sequential answers, as Liquid AI recommends.
    private static let defaults: (interleaved: (Float, Int), sequential: (Float, Int)) = ((1, 4), (0.8, 64))

    init(_ voice: Voice, _ marks: SpeechMarks, _ model: LanguageModel, _ usual: SpeechOptions) {
        (self.voice, self.marks, self.model, self.usual) = (voice, marks, model, usual)
    }

    /// Opens the files that options name; `nil` where they name none.
    ///
    /// - Throws: `GGUFError`, or ``EngineError`` where they cannot be used, or belong to another model; `ModelError` where an
    ///   adapter of the model keeps it from reading again what it spokenAnswers.
    static func load(_ options: ModelOptions, for model: LanguageModel, _ tokenizer: Tokenizer) throws -> Speaking? {
        guard let path = options.vocoderPath else {
            guard let tokenizer = options.audioTokenizerPath else { return nil }
            throw EngineError.noVocoder(audioTokenizer: tokenizer)
        }
        func open(_ path: String) throws -> GGUFFile {
            try GGUFFile(path: path, useMmap: options.usesMmap, catchesBusErrors: options.catchesBusErrors)
        }
        let voice: Voice
        do {
            voice = try Voice(
                vocoder: try open(path), tokenizer: try options.audioTokenizerPath.map { try open($0) })
        } catch let error as ModelError {
            throw EngineError.vocoder(path: path, error)
        }
        let (width, length) = (voice.depthformer.configuration.modelWidth, model.configuration.embeddingLength)
        guard width == length else { throw EngineError.voiceOfAnotherModel(width: width, embeddingLength: length) }
        try model.refuseChangedEmbedding()
        guard let marks = SpeechMarks(tokenizer) else { throw EngineError.missingSpeechTokens }
        return Speaking(voice, marks, model, options.speech)
    }

    /// How an answer to a conversation is spoken.
    func request(_ messages: [Message], _ options: SpeechOptions) -> SpeechRequest {
        let order = options.order ?? usual.order ?? Self.order(messages)
        let trained = order == .sequential ? Self.defaults.sequential : Self.defaults.interleaved
        return SpeechRequest(
            voice, marks, order: order, temperature: options.temperature ?? usual.temperature ?? trained.0,
            topK: options.topK ?? usual.topK ?? trained.1)
    }

    private static func order(_ messages: [Message]) -> SpeechOrder {
        let isInterleaved = messages.contains { $0.role == .system && $0.text.lowercased().contains(interleavedWord) }
        return isInterleaved ? .interleaved : .sequential
    }

    /// Remembers the tokens and codes from which a recording was made, for later prompts that contain it.
    func store(_ answer: SpokenAnswer, sounding sound: Sound) { spokenAnswers.store(answer, sound) }

    /// Adds what the model spokenAnswers.
    func append(_ answer: SpokenAnswer, to prompt: inout Prompt) {
        prompt.append(answer.media(of: model, voice))
    }

    /// Messages in which an assistant's sound is kept only if this model said it recently. Of other recordings the codes are
    /// unknown, so only the message's text is kept.
    func recalling(_ messages: [Message]) -> [Message] {
        messages.map { message in
            guard message.role == .assistant, let sound = message.sounds.first else { return message }
            var message = message
            if spokenAnswers.answer(sound) != nil {
                message.parts = [.sound(sound)]
            } else {
                Logger(label: "leap.model").info(
                    "an answer's sound is not from here, or too old: its text is shown alone")
                message.parts.removeAll { if case .sound = $0 { true } else { false } }
            }
            return message
        }
    }

    /// The tokens and codes from which a recording was made; `nil` if it is not from this model, or too old.
    func answer(_ sound: Sound) -> SpokenAnswer? { spokenAnswers.answer(sound) }
}
