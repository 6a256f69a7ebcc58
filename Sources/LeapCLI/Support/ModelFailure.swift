import LeapChat
import LeapEngine
import LeapGGUF
import LeapGeneration
import LeapHub
import LeapModels
import LeapToolSupport

/// Error messages for models that cannot be loaded, and answers that cannot be generated.
enum ModelFailure {
    /// Loads a model.
    static func loading<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do { return try work() } catch {
            throw CommandError("the model cannot be loaded: \(loading(path, error))")
        }
    }

    private static func loading(_ path: String, _ error: any Error) -> String {
        switch error {
        case let error as TemplateError: "'\(path)': the chat template is invalid: \(error)"
        // The file reader's errors name the file already.
        case is GGUFError, ModelError.metadata, ModelError.file, is EngineError, is HubError: Failure.text(of: error)
        default: "'\(path)': \(Failure.text(of: error))"
        }
    }

    /// Generates an answer.
    static func generating<Result>(_ work: () async throws -> Result) async throws -> Result {
        do { return try await work() } catch {
            throw CommandError(generating(error))
        }
    }

    private static func generating(_ error: any Error) -> String {
        switch error {
        case GenerationError.promptTooLong, GenerationError.promptFarTooLong: Failure.text(of: error)
        case let error as TemplateError:
            "the generation failed: the messages cannot be rendered: \(error)"
        case EngineError.noChatTemplate:
            "the generation failed: \(Failure.text(of: error)), or continue the prompt as it is with --raw"
        default: "the generation failed: \(Failure.text(of: error))"
        }
    }
}
