import LeapChat
import LeapConstraints
import LeapEngine
import LeapGGUF
import LeapGeneration
import LeapHub
import LeapModels
import LeapTokenizer

/// Converts the errors of the engine to ``LeapError``.
extension LeapError {
    /// The error of loading a model from a path.
    static func loading(_ path: String, _ error: any Error) -> LeapError {
        switch error {
        case let error as LeapError: error
        case let error as TemplateError:
            .modelLoadingFailure("'\(path)': the chat template is invalid: \(error)", error)
        // The reader of files names the file itself.
        case let error as HubError: .downloading(error)
        case let error as GGUFError: .modelLoadingFailure("\(error)", error)
        case ModelError.metadata(let error), ModelError.file(let error): .modelLoadingFailure("\(error)", error)
        case let error as EngineError: .modelLoadingFailure(error.description, error.cause)
        default: .modelLoadingFailure("'\(path)': \(error)", error)
        }
    }

    /// The error of generating an answer.
    static func generating(_ error: any Error) -> LeapError {
        switch error {
        case let error as LeapError: error
        case GenerationError.promptTooLong, GenerationError.promptFarTooLong:
            .promptExceedContextLengthFailure("\(error)", error)
        case let error as TemplateError: .generationFailure("the messages cannot be rendered: \(error)", error)
        case EngineError.constraint(let cause), EngineError.parameters(let cause):
            .generationFailure("\(error)", ConstraintRefusal(cause))
        case EngineError.negative, EngineError.biasOutOfRange: .invalidInput("\(error)")
        case let error as EmbeddingError: .invalidInput(error.description)
        case let error as EngineError: .generationFailure(error.description, error.cause)
        default: .generationFailure("\(error)", error)
        }
    }

    /// The error of downloading a model.
    static func downloading(_ error: HubError) -> LeapError {
        #if Leap0107 || Leap010
        switch error {
        case .sha256Mismatch(_, let expected, let found):
            return LeapModelDownloadSha256MismatchException(expectedSha256: expected, actualSha256: found)
        case .sizeMismatch(_, let expected, let found):
            return LeapModelDownloadSizeMismatchException(expectedSize: expected, actualSize: found)
        default: break
        }
        #endif
        return .modelLoadingFailure("\(error)", error)
    }

    /// The conversation is already generating.
    static var busy: LeapError {
        let error = ConversationBusyError()
        return .generationFailure(error.description, error)
    }
}

extension ConstraintRefusal {
    init(_ error: ConstraintError) {
        switch error {
        case .schema(let pointer, let keyword, _):
            self.init(pointer: pointer, keyword: keyword, reason: error.description)
        case .regex(let position, _):
            self.init(pointer: String(position + 1), keyword: "", reason: error.description)
        case .grammar(let line, let column, _):
            self.init(pointer: "\(line):\(column)", keyword: "", reason: error.description)
        case .invalidJSON, .tooLarge, .unsatisfiable:
            self.init(pointer: "", keyword: "", reason: error.description)
        }
    }
}
