import LeapEngine
import LeapJSON
import OrderedCollections

/// A request of `/v1/audio/transcriptions`.
struct TranscriptionRequest: Sendable {
    /// The transcript's format.
    enum Format: String, CaseIterable, Sendable {
        case json
        case text
        case srt
        case vtt
        case verbose = "verbose_json"

        /// Whether it includes timestamps.
        var hasTimes: Bool { self == .srt || self == .vtt || self == .verbose }
    }

    /// What to answer.
    let job: AnswerJob
    /// The recording.
    let sound: Sound
    /// The transcript's format.
    let format: Format
    /// The language of the recording.
    let language: Language
    /// The sampling temperature.
    let temperature: Float
    /// Whether it is streamed.
    let streams: Bool

    /// Languages that models of this kind were trained to transcribe.
    enum Language: String, CaseIterable, Sendable {
        case english = "en"
        case japanese = "ja"

        /// The instruction for the model.
        var task: String { self == .japanese ? "Perform ASR in japanese." : "Perform ASR." }
        /// As OpenAI calls it.
        var name: String { self == .japanese ? "japanese" : "english" }
    }

    /// The form's field with the file.
    static let file = "file"
    static let model = GenerationFields.model
    static let formatField = Field.choice(
        "response_format", Format.allCases.map(\.rawValue),
        "format of the transcript; models give no timestamps, so srt, vtt and verbose_json have one segment")
    static let languageField = Field.choice(
        "language", Language.allCases.map(\.rawValue), "language of the recording")
    static let temperature = GenerationFields.temperature
    static let stream = GenerationFields.stream

    /// The fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        Field<JSONValue>.any(file, "a WAV file"), model, formatField, languageField, temperature, stream,
    ]

    /// Unsupported fields that would change the answer.
    private static let refused = [
        "prompt": "is not supported: omit it",
        "timestamp_granularities[]": "is not supported: models give no timestamps",
        "include[]": "is not supported: omit it",
        "chunking_strategy": "is not supported: omit it",
    ]

    /// Reads a form.
    init(_ form: MultipartForm) throws(APIError) {
        guard let bytes = form.files[Self.file], !bytes.isEmpty else {
            throw .invalid(Self.file, "is missing: provide a WAV file")
        }
        sound = Sound(bytes)
        let fields = form.fields(literals: [Self.temperature.name, Self.stream.name])
        try fields.refuse(Self.refused)
        format = try fields(Self.formatField).flatMap(Format.init) ?? .json
        language = try fields(Self.languageField).flatMap(Language.init) ?? .english
        streams = try fields(Self.stream) ?? false
        guard !streams || format == .json else {
            throw .invalid("response_format", "must be json if stream is true")
        }
        var options = AnswerOptions()
        // Transcription is deterministic unless requested otherwise.
        temperature = try fields(Self.temperature).map { Float($0) } ?? 0
        options.sampling.temperature = temperature
        // Segments report log probabilities.
        options.topLogprobs = format == .verbose ? 0 : nil
        options.calls = .none
        job = AnswerJob(
            model: try fields(Self.model),
            subject: .chat(
                ChatRequest([Message(.system, language.task), Message(.user, [.sound(sound)])], options)))
    }
}
