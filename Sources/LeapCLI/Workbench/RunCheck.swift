import LeapGGUF
import LeapModels
import LeapTokenizer
import LeapToolSupport

/// Whether the engine could run a file, before its weights are written.
enum RunCheck {
    /// Binds the file as a loader does, and its tokenizer.
    ///
    /// - Parameter file: All metadata and tensors; what tensors hold does not matter.
    /// - Throws: ``CommandError`` if it neither generates text nor computes embeddings.
    static func check(_ file: GGUFFile) throws(CommandError) {
        if let error = modelError(file) { throw refusal(file, error.description) }
        do throws(TokenizerError) {
            _ = try Tokenizer(metadata: file.metadata)
        } catch { throw refusal(file, error.description) }
    }

    private static func modelError(_ file: GGUFFile) -> ModelError? {
        do throws(ModelError) {
            _ = try LanguageModel.load(file)
            return nil
        } catch {
            guard let other = embedderError(file) else { return nil }
            if case .writesNothing = error { return other }
            return error
        }
    }

    private static func embedderError(_ file: GGUFFile) -> ModelError? {
        do throws(ModelError) {
            _ = try Embedder(file)
            return nil
        } catch { return error }
    }

    private static func refusal(_ file: GGUFFile, _ problem: String) -> CommandError {
        CommandError("\(file.path): the model could not be run: \(problem)")
    }
}
