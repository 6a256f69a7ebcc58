import LeapEngine
import LeapJSON
import OrderedCollections

/// A request of `/v1/audio/transcriptions`.
struct TranscriptionRequest: Sendable {
    /// How the text is wanted.
    enum Format: String, CaseIterable, Sendable {
        case json
        case text
        case srt
        case vtt
        case verbose = "verbose_json"

        /// Whether it tells when the text was said.
        var hasTimes: Bool { self == .srt || self == .vtt || self == .verbose }
    }

    /// What is to be answered.
    let order: AnswerOrder
    /// What is heard.
    let sound: Sound
    /// How the text is wanted.
    let format: Format
    /// In which language it is said.
    let language: Language
    /// How freely the model chooses its words.
    let temperature: Float
    /// Whether it is sent while it is written.
    let streams: Bool

    /// Languages that models of this kind were trained to write down.
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
        "how the text comes; models tell no times, so that srt, vtt and verbose_json have one segment")
    static let languageField = Field.choice(
        "language", Language.allCases.map(\.rawValue), "the language that is spoken")
    static let temperature = GenerationFields.temperature
    static let stream = GenerationFields.stream

    /// The fields, for the OpenAPI document.
    static let fields: [any DescribedField] = [
        Field<JSONValue>.any(file, "a WAV file"), model, formatField, languageField, temperature, stream,
    ]

    /// What would change the answer, and is not there.
    private static let refused = [
        "prompt": "is not implemented: leave it out",
        "timestamp_granularities[]": "is not implemented: models tell no times",
        "include[]": "is not implemented: leave it out",
        "chunking_strategy": "is not implemented: leave it out",
    ]

    /// Reads a form.
    init(_ form: MultipartForm) throws(APIError) {
        guard let bytes = form.files[Self.file], !bytes.isEmpty else {
            throw .invalid(Self.file, "is missing: give a WAV file")
        }
        sound = Sound(bytes)
        let fields = form.fields(literals: [Self.temperature.name, Self.stream.name])
        try fields.refuse(Self.refused.filter { form.texts[$0.key] != "" })
        format = try fields(Self.formatField).flatMap(Format.init) ?? .json
        language = try fields(Self.languageField).flatMap(Language.init) ?? .english
        streams = try fields(Self.stream) ?? false
        guard !streams || format == .json else {
            throw .invalid("response_format", "must be json where stream is true")
        }
        var options = AnswerOptions()
        // Transcribing is no matter of taste.
        temperature = try fields(Self.temperature).map { Float($0) } ?? 0
        options.sampling.temperature = temperature
        // A segment says how probable its tokens were.
        options.topLogprobs = format == .verbose ? 0 : nil
        options.calls = .none
        order = AnswerOrder(
            model: try fields(Self.model),
            subject: .chat(
                ChatRequest([Message(.system, language.task), Message(.user, [.sound(sound)])], options)))
    }
}
