import LeapEngine
import LeapGeneration
import LeapJSON

/// A request of `/v1/audio/speech`.
struct SpeechRequest: Sendable {
    /// The audio format.
    enum Format: String, CaseIterable, Sendable {
        /// A file, sent when it is complete.
        case wav
        /// 16-bit samples, little-endian, sent as they are generated.
        case pcm
    }

    /// What to say.
    let job: AnswerJob
    /// The audio format.
    let format: Format
    /// Whether it is sent as events.
    let sendsEvents: Bool

    /// The voices that models of this kind were trained by, and OpenAI's that come nearest.
    static let voices: [(name: String, others: [String])] = [
        ("US female", ["alloy", "coral", "nova", "sage", "shimmer", "marin"]),
        ("US male", ["ash", "echo", "onyx", "verse", "cedar"]),
        ("UK female", ["ballad"]), ("UK male", ["fable"]),
    ]

    static let input = Field.string("input", "the text to speak")
    static let voice = Field.string(
        "voice",
        "the voice: US male, US female, UK male or UK female, or an OpenAI voice name, which is mapped to the "
            + "nearest of them"
    )
    static let instructions = Field.string(
        "instructions", "system prompt for the model, replacing the voice; none if blank")
    static let formatField = Field.choice(
        "response_format", Format.allCases.map(\.rawValue),
        "wav (sent when complete) or pcm (streamed); 24,000 samples per second")
    static let streamFormat = Field.choice("stream_format", ["audio", "sse"], "sse sends pcm as server-sent events")
    static let temperature = Field.number(
        "temperature", 0...2, "sampling temperature for audio codes; 0 always chooses the most likely code")
    static let speed = Field.number("speed", 0.25...4, "must be 1: the speaking rate cannot be changed")

    static let maxTokens = Field.integer(
        "max_tokens", 1...1_000_000, "maximum number of tokens and audio frames of 80 ms; default 4096")

    /// The fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        GenerationFields.model, input, voice, instructions, formatField, streamFormat, temperature, speed,
        GenerationFields.seed, maxTokens,
    ]

    /// Characters of a text, as OpenAI allows them.
    private static let inputLimit = 4096

    init(_ fields: FieldReader) throws(APIError) {
        guard let text = try fields(Self.input), !text.allSatisfy(\.isWhitespace) else {
            throw .invalid(Self.input.name, "is missing: provide the text to speak")
        }
        guard text.count <= Self.inputLimit else {
            throw .invalid(Self.input.name, "has \(text.count) characters: give at most \(Self.inputLimit)")
        }
        if let speed = try fields(Self.speed), speed != 1 {
            throw .invalid(Self.speed.name, "must be 1: the speaking rate cannot be changed")
        }
        format = try fields(Self.formatField).flatMap(Format.init) ?? .wav
        sendsEvents = try fields(Self.streamFormat) == "sse"
        guard !sendsEvents || format == .pcm else {
            throw .invalid(Self.formatField.name, "must be pcm if stream_format is sse")
        }
        var options = try GenerationFields.options(fields)
        options.speech = .wanted
        options.maxTokens = try fields(Self.maxTokens) ?? 4096
        options.speechOptions = SpeechOptions(order: .sequential, temperature: options.sampling.temperature)
        options.sampling.temperature = nil
        let voice = try fields(Self.voice)
        let instructions = try fields(Self.instructions).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let task = if let instructions { instructions } else { try Self.task(voice) }
        job = AnswerJob(
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
