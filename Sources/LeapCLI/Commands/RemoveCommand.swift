import ArgumentParser
import Foundation
import LeapHub
import LeapJSON
import LeapToolSupport

/// `leap rm`: removes a model from this machine.
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Removes a downloaded model, complete or partial, or the converted file of a folder.",
        discussion: """
            A converted file that several folders with the same content share is kept until the last of them is \
            removed. The folders themselves are not touched.
            """)

    @Argument(
        help: "The model, with its quantisation if there are several, or a folder's path, which must contain a slash.")
    var name: String?

    @Flag(help: "Print one JSON object: name and size of what was removed.")
    var json = false

    @OptionGroup(title: "Model") var source: ModelFlags

    func run() throws {
        let (removed, size) = try removeConverted() ?? removeDownloaded()
        if json {
            let report: JSONValue = ["name": .string(removed), "size": .integer(Int(size))]
            Console.line(report.text())
        }
    }

    /// - Returns: The name and the size of what was removed; `nil` if the argument does not mean a converted folder.
    private func removeConverted() throws -> (name: String, size: Int64)? {
        let cache = try ConversionCache()
        guard let path = try path(), let model = cache.model(at: path) else { return nil }
        do { return (model.name, try cache.remove(model)) } catch {
            throw CommandError("\(model.file.path): cannot be removed: \(error.localizedDescription)")
        }
    }

    /// The path that was given instead of a name.
    private func path() throws -> String? {
        if case .file(let path)? = try source.name(), name == nil { return path }
        return source.isGiven ? nil : name.flatMap { $0.contains("/") ? $0 : nil }
    }

    /// - Returns: The name and the size of what was removed.
    private func removeDownloaded() throws -> (name: String, size: Int64) {
        let store = try HubFlags.parse([]).makeHub().store
        if let path = try path(), FileManager.default.fileExists(atPath: path) { throw Self.nothing(at: path) }
        let name = try source.download(name)
        let location = try location(name, in: store)
        let size = try store.size(of: location)
        guard try store.remove(location) else {
            throw CommandError("'\(name)' is not on this machine: see 'leap list'")
        }
        return ("\(location)", size)
    }

    private func location(_ name: ModelName, in store: ModelStore) throws -> ModelLocation {
        switch name {
        case .file(let path): throw Self.nothing(at: path)
        case .reference(let reference): try location(reference, in: store)
        case .repositoryFile(let repository, let path): try ModelLocation(repository: repository, file: path)
        }
    }

    private static func nothing(at path: String) -> CommandError {
        CommandError(
            "there is nothing to remove for '\(path)': 'leap rm' removes only downloaded models and the converted files of "
                + "folders")
    }

    /// Without a quantisation, the only one that is present, complete or partial.
    private func location(_ reference: ModelReference, in store: ModelStore) throws -> ModelLocation {
        switch reference {
        case .named(_, quantization: nil), .repository(_, quantization: nil):
            let found = try store.locations(named: ModelLocation(reference).model)
            guard let only = found.first else { return try ModelLocation(reference) }
            guard found.count == 1 else {
                let names = found.map { "\($0)" }.joined(separator: ", ")
                throw ValidationError("'\(reference)' is ambiguous: give one of \(names).")
            }
            return only
        default: return try store.location(of: reference)
        }
    }
}
