import LeapModels
import LeapToolSupport

/// The model file that a command was given.
enum ModelFile {
    /// Does something with a model. An error that does not say in which file it arose is given the file's name; the
    /// reader of files names it itself.
    static func naming<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as ModelError {
            switch error {
            case .metadata, .file: throw error
            default: throw CommandError("'\(path)': \(error)")
            }
        }
    }
}
