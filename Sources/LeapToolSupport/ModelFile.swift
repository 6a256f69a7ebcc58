import LeapModels

/// The model file that a command was given.
package enum ModelFile {
    /// Runs work with a model. Adds the file's name to errors that lack it; those of the file reader already have it.
    package static func naming<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as ModelError {
            switch error {
            case .metadata, .file: throw error
            default: throw CommandError("'\(path)': \(error)")
            }
        }
    }
}
