import ArgumentParser
import LeapChat
import LeapHub
import LeapToolSupport

/// `leap rm`: removes a model from this machine.
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Removes a model that was downloaded, or what arrived of one.")

    @Argument(help: "The model, with its quantisation where there are several.")
    var name: String

    @Flag(help: "Print one JSON object: name and size of what was removed.")
    var json = false

    func run() throws {
        let store = try HubFlags.parse([]).makeHub().store
        let location = try location(try ModelName.reference(name), in: store)
        let size = try store.model(at: location)?.size ?? 0
        guard try store.remove(location) else {
            throw CommandError("'\(name)' is not on this machine: see 'leap list'")
        }
        if json {
            let report: JSONValue = ["name": .string("\(location)"), "size": .integer(Int(size))]
            Console.line(report.text())
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
                throw ValidationError("Say which one of '\(self.name)': \(names).")
            }
            return only
        default: return try ModelLocation(reference)
        }
    }
}
