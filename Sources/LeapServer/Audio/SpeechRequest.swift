import LeapEngine
import LeapGeneration
import LeapJSON

/// A request of `/v1/audio/speech`.
struct SpeechRequest: Sendable {
    /// How the sound is wanted.
    enum Format: String, CaseIterable, Sendable {
        /// A file, when it is whole.
        case wav
        /// Samples of 16 bits, little-endian, as they are made.
        case pcm
    }

    /// What is to be said.
    let order: AnswerOrder
    /// How the sound is wanted.
    let format: Format
    /// Whether it comes in events.
    let sendsEvents: Bool

    /// The voices that models of this kind were trained by, and OpenAI's that come nearest.
    static let voices: [(name: String, others: [String])] = [
        ("US female", ["alloy", "coral", "nova", "sage", "shimmer", "marin"]),
        ("US male", ["ash", "echo", "onyx", "verse", "cedar"]),
        ("UK female", ["ballad"]), ("UK male", ["fable"]),
    ]

    static let input = Field.string("input", "the text that is read out")
    static let voice = Field.string(
        "voice",
        "who reads: US male, US female, UK male or UK female, or a name of OpenAI's, for which the nearest reads")
    static let instructions = Field.string("instructions", "what the model is told, in place of the voice")
    static let formatField = Field.choice(
        "response_format", Format.allCases.map(\.rawValue),
        "wav when it is whole, or pcm as it is made; 24,000 samples a second")
    static let streamFormat = Field.choice("stream_format", ["audio", "sse"], "sse sends pcm in events")
    static let temperature = Field.number("temperature", 0...2, "of the codes of sound; 0 takes the likeliest")
    static let speed = Field.number("speed", 0.25...4, "only 1: models read at their own speed")

    static let maxTokens = Field.integer(
        "max_tokens", 1...1_000_000, "the most tokens and frames, of which each sounds for 80 ms; 4096 usually")

    /// The fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        GenerationFields.model, input, voice, instructions, formatField, streamFormat, temperature, speed,
        GenerationFields.seed, maxTokens,
    ]

    /// Characters of a text, as OpenAI allows them.
    private static let inputLimit = 4096

    init(_ fields: FieldReader) throws(APIError) {
        guard let text = try fields(Self.input), !text.allSatisfy(\.isWhitespace) else {
            throw .invalid(Self.input.name, "is missing: give the text that is to be read out")
        }
        guard text.count <= Self.inputLimit else {
            throw .invalid(Self.input.name, "has \(text.count) characters: give at most \(Self.inputLimit)")
        }
        if let speed = try fields(Self.speed), speed != 1 {
            throw .invalid(Self.speed.name, "must be 1: models read at their own speed")
        }
        format = try fields(Self.formatField).flatMap(Format.init) ?? .wav
        sendsEvents = try fields(Self.streamFormat) == "sse"
        guard !sendsEvents || format == .pcm else {
            throw .invalid(Self.formatField.name, "must be pcm where stream_format is sse")
        }
        var options = try GenerationFields.options(fields)
        options.speech = .wanted
        options.maxTokens = try fields(Self.maxTokens) ?? 4096
        options.speechOptions = SpeechOptions(order: .sequential, temperature: options.sampling.temperature)
        options.sampling.temperature = nil
        let voice = try fields(Self.voice)
        let task = if let instructions = try fields(Self.instructions) { instructions } else { try Self.task(voice) }
        order = AnswerOrder(
            model: try fields(GenerationFields.model),
            subject: .chat(ChatRequest([Message(.system, task), Message(.user, text)], options)))
    }

    /// The messages for the model.
    private static func task(_ voice: String?) throws(APIError) -> String {
        let wanted = (voice ?? voices[0].name).lowercased().replacing("_", with: " ").replacing("-", with: " ")
        guard let known = voices.first(where: { $0.name.lowercased() == wanted || $0.others.contains(wanted) }) else {
            throw .invalid(
                Self.voice.name, "must be one of \(voices.map(\.name).joined(separator: ", ")), not '\(voice ?? "")'")
        }
        return "Perform TTS. Use the \(known.name) voice."
    }
}
