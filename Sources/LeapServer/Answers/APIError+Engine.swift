import LeapChat
import LeapConstraints
import LeapEngine
import LeapGeneration
import LeapJSON

extension APIError {
    /// What a client is told of an error of the engine's: its own words where the request is to blame, and none of what
    /// happened inside where it is not.
    init(engine error: any Error) {
        switch error {
        case let error as APIError: self = error
        case let error as GenerationError: self = Self.generation(error)
        case let error as EngineError: self = Self.engine(error)
        case let error as TemplateError:
            self.init(.invalid, "the chat template refuses the messages: \(error)", param: "messages")
        default: self.init(.failed, "the answer failed: see the server's log")
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
            APIError(.overloaded(retryAfter: 5), "the model is being unloaded: ask again", code: "model_unloading")
        case .sampler: APIError(.invalid, "\(error)")
        case .constraintNotSpellable, .unreadableCallInConstraint:
            APIError(.failed, "\(error)", code: "constraint_failed")
        case .invalidChunkSize, .model, .file, .notFinite: APIError(.failed, "the answer failed: see the server's log")
        }
    }

    private static func tooLong(_ text: String, _ tokens: Int, _ contextLength: Int) -> APIError {
        var error = APIError(.invalid, text, param: "messages", code: "context_length_exceeded")
        error.details = ["n_prompt_tokens": .integer(tokens), "n_ctx": .integer(contextLength)]
        return error
    }

    private static func engine(_ error: EngineError) -> APIError {
        switch error {
        case .constraint: APIError(.invalid, "\(error)", param: "response_format", code: "invalid_schema")
        case .biasOutOfRange: APIError(.invalid, "\(error)", param: "logit_bias")
        case .negative(let name, _): APIError(.invalid, "\(error)", param: name)
        case .malformed(let field, _, _): APIError(.invalid, "\(error)", param: field)
        case .illegalFunctionName, .duplicateFunction: APIError(.invalid, "\(error)", param: "tools")
        case .seesNoPictures, .picture, .placesOfPictures: APIError(.invalid, "\(error)", param: "messages")
        case .projector, .projectorOfAnotherModel, .missingPictureTokens, .pictureTokens:
            APIError(.failed, "the model cannot be loaded: see the server's log")
        case .noChatTemplate: APIError(.invalid, "\(error)", param: "model")
        case .unloaded:
            APIError(.overloaded(retryAfter: 5), "the model was unloaded meanwhile: ask again", code: "model_unloading")
        case .contextDoesNotFit: APIError(.overloaded(retryAfter: 30), "\(error)", code: "out_of_memory")
        }
    }
}
