import LeapChat
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapTokenizer

/// Where every error of the engine becomes a ``LeapError``.
extension LeapError {
    /// What went wrong while a model was being loaded from a path.
    static func loading(_ path: String, _ error: any Error) -> LeapError {
        switch error {
        case let error as LeapError: error
        case let error as TemplateError:
            .modelLoadingFailure("'\(path)': the chat template is broken: \(error)", error)
        // The reader of files names the file itself.
        case let error as GGUFError: .modelLoadingFailure("\(error)", error)
        case ModelError.metadata(let error), ModelError.file(let error): .modelLoadingFailure("\(error)", error)
        default: .modelLoadingFailure("'\(path)': \(error)", error)
        }
    }

    /// What went wrong while an answer was being generated.
    static func generating(_ error: any Error) -> LeapError {
        switch error {
        case let error as LeapError: error
        case GenerationError.promptTooLong, GenerationError.promptFarTooLong:
            .promptExceedContextLengthFailure("\(error)", error)
        case let error as TemplateError: .generationFailure("the chat template refuses the messages: \(error)", error)
        default: .generationFailure("\(error)", error)
        }
    }

    /// The conversation generates already.
    static var busy: LeapError {
        let error = ConversationBusyError()
        return .generationFailure(error.description, error)
    }

    /// The runner's model is gone.
    static var unloaded: LeapError {
        .generationFailure("the model was unloaded: load it again and continue from the conversation's history", nil)
    }
}
