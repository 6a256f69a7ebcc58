import LeapChat
import LeapConstraints
import LeapEngine
import LeapGeneration
import LeapJSON
import LeapModels

extension APIError {
    /// Converts an engine error for clients: its own text if the request is to blame; otherwise a general text that
    /// reveals nothing internal.
    init(engine error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as GenerationError: self = Self.generation(error)
        case let error as EngineError: self = Self.engine(error)
        case let error as EmbeddingError: self = Self.embedding(error)
        case ModelError.unknownPooling:
            self = .invalid("model", "names a model whose file does not declare a pooling type: choose another model")
        case ModelError.outOfMemory:
            self.init(
                .overloaded(retryAfter: 30), "there is not enough memory for this request: retry later",
                code: "out_of_memory")
        case is CancellationError: self = .clientGone
        case TemplateError.limit(.steps, _), TemplateError.limit(.outputBytes, _), TemplateError.limit(.valueBytes, _):
            self.init(
                .invalid, "the messages are too long: rendering the chat template exceeded its limits",
                param: "messages", code: "context_length_exceeded")
        case let error as TemplateError:
            self.init(.invalid, "the messages cannot be rendered: \(error)", param: "messages")
        default: self.init(.failed, "the request failed: see the server's log")
        }
        if case .failed = kind, cause == nil { cause = "\(error)" }
    }

    /// The same, with field names mapped to those of a dialect.
    init(engine error: any Error, in fields: JobFields) {
        self.init(engine: error)
        let usual = JobFields()
        switch param {
        case usual.subject: param = fields.subject
        case usual.constraint: param = fields.constraint
        case usual.suffix: param = fields.suffix
        default: break
        }
    }

    private static func embedding(_ error: EmbeddingError) -> APIError {
        switch error {
        case .tooManyTokens(_, let count, let limit): return tooLong("\(error)", count, limit, param: "input")
        case .emptyText, .tokenOutOfRange: return APIError(.invalid, "\(error)", param: "input")
        case .dimensions: return APIError(.invalid, "\(error)", param: "dimensions")
        case .vectorForEveryToken, .scoresOnly: return APIError(.notSupported, "\(error)", param: "model")
        }
    }

    private static func generation(_ error: GenerationError) -> APIError {
        switch error {
        case .promptTooLong(let tokens, let contextLength):
            tooLong("\(error)", tokens, contextLength)
        case .promptFarTooLong(_, let tokens, let contextLength):
            tooLong("\(error)", tokens, contextLength)
        case .emptyPrompt: APIError(.invalid, "\(error)", param: "prompt")
        case .media: APIError(.invalid, "\(error)", param: "messages")
        case .draining:
            APIError(
                .overloaded(retryAfter: 5), "the model is being unloaded: retry the request", code: "model_unloading")
        case .sampler: APIError(.invalid, "\(error)")
        case .constraintNotSpellable, .unreadableCallInConstraint:
            APIError(.failed, "\(error)", code: "constraint_failed")
        case .invalidChunkSize, .model, .file, .notFinite, .otherVocabulary:
            APIError(.failed, "generation failed: see the server's log")
        }
    }

    /// The error for a field whose text exceeds the model's token limit.
    static func tooManyTokens(_ param: String, _ tokens: Int, _ limit: Int, _ advice: String) -> APIError {
        tooLong(
            "'\(param)' has \(tokens) tokens, but the model accepts at most \(limit): \(advice)", tokens, limit,
            param: param)
    }

    private static func tooLong(
        _ text: String, _ tokens: Int, _ contextLength: Int, param: String = "messages"
    ) -> APIError {
        var error = APIError(.invalid, text, param: param, code: "context_length_exceeded")
        error.details = ["n_prompt_tokens": .integer(tokens), "n_ctx": .integer(contextLength)]
        return error
    }

    /// The error code for audio input that the model does not support.
    private static let hearsNothing = "model_hears_nothing"
    /// The error code for audio output that the model does not support.
    private static let hasNoVoice = "model_has_no_voice"

    /// The error as reported by routes that only models which hear or speak can serve.
    ///
    /// - Parameters:
    ///   - subject: The field with the audio or the text to speak.
    func ofAudio(_ subject: String) -> APIError {
        if code == Self.hearsNothing || code == Self.hasNoVoice {
            return APIError(.notSupported, message, param: GenerationFields.model.name, code: code)
        }
        var error = self
        if param == JobFields().subject { error.param = subject }
        if param == SpokenChat.modalities.name { error.param = GenerationFields.model.name }
        return error
    }

    private static func engine(_ error: EngineError) -> APIError {
        switch error {
        case .constraint: APIError(.invalid, "\(error)", param: "response_format", code: "invalid_schema")
        case .parameters: APIError(.invalid, "\(error)", param: "tools", code: "invalid_schema")
        case .biasOutOfRange: APIError(.invalid, "\(error)", param: "logit_bias")
        case .adapterScales, .noSuchAdapter: APIError(.invalid, "\(error)", param: "lora")
        case .negative(let name, _): APIError(.invalid, "\(error)", param: name)
        case .malformed(let field, _, _): APIError(.invalid, "\(error)", param: field)
        case .illegalFunctionName, .duplicateFunction: APIError(.invalid, "\(error)", param: "tools")
        case .seesNoPictures, .picture, .placesOfPictures, .sound, .placesOfSounds:
            APIError(.invalid, "\(error)", param: "messages")
        case .hearsNothing: APIError(.invalid, "\(error)", param: "messages", code: hearsNothing)
        case .hasNoVoice: APIError(.invalid, "\(error)", param: "modalities", code: hasNoVoice)
        case .speaksNoConstraint: APIError(.invalid, "\(error)", param: "modalities")
        case .noVocoder, .vocoder, .voiceOfAnotherModel, .missingSpeechTokens,
            .projector, .draftModel, .projectorOfAnotherModel, .missingPictureTokens, .pictureTokens:
            APIError(.failed, "the model cannot be loaded: see the server's log")
        case .fillsNoGaps: APIError(.invalid, "\(error)", param: "suffix")
        case .noChatTemplate: APIError(.invalid, "\(error)", param: "model")
        case .unloaded:
            APIError(
                .overloaded(retryAfter: 5), "the model was unloaded in the meantime: retry the request",
                code: "model_unloading")
        case .contextDoesNotFit: APIError(.overloaded(retryAfter: 30), "\(error)", code: "out_of_memory")
        }
    }
}
