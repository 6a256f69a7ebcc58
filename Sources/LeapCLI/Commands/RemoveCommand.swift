import ArgumentParser
import LeapHub
import LeapJSON
import LeapToolSupport

/// `leap rm`: removes a model from this machine.
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Removes a model that was downloaded, or what arrived of one.")

    @Argument(help: "The model, with its quantisation where there are several.")
    var name: String?

    @Flag(help: "Print one JSON object: name and size of what was removed.")
    var json = false

    @OptionGroup(title: "Model") var source: ModelFlags

    func run() throws {
        let store = try HubFlags.parse([]).makeHub().store
        let name = try source.download(name)
        let location = try location(name, in: store)
        let size = try store.model(at: location)?.size ?? 0
        guard try store.remove(location) else {
            throw CommandError("'\(name)' is not on this machine: see 'leap list'")
        }
        if json {
            let report: JSONValue = ["name": .string("\(location)"), "size": .integer(Int(size))]
            Console.line(report.text())
        }
    }

    private func location(_ name: ModelName, in store: ModelStore) throws -> ModelLocation {
        switch name {
        case .file(let path): throw CommandError("'\(path)' is a file: 'leap rm' removes what 'leap pull' brought")
        case .reference(let reference): try location(reference, in: store)
        case .repositoryFile(let repository, let path): try ModelLocation(repository: repository, file: path)
        }
    }

    /// Without a quantisation, the only one that there is.
    private func location(_ reference: ModelReference, in store: ModelStore) throws -> ModelLocation {
        switch reference {
        case .named(_, quantization: nil), .repository(_, quantization: nil):
            let name = try ModelLocation(reference).model
            let found = try store.models().map(\.location).filter { $0.model == name }
            guard let only = found.first else { return try ModelLocation(reference) }
            guard found.count == 1 else {
                let names = found.map { "\($0)" }.joined(separator: ", ")
                throw ValidationError("Say which one of '\(reference)': \(names).")
            }
            return only
        default: return try store.location(of: reference)
        }
    }
}
