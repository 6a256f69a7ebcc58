import ArgumentParser
import Foundation
import LeapHub
import LeapJSON
import LeapToolSupport

/// `leap list`: lists the models on this machine.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists downloaded models and converted folders.",
        discussion: """
            A Hugging Face folder is converted to a GGUF file when it is first used as a model; it is listed by its \
            path, with that file. Downloads that are running or were interrupted are marked as incomplete. 'leap rm' \
            accepts any name in the list.
            """)

    @Flag(
        help: """
            Print one JSON array: name, folder, size and files of each, convertedFrom for converted folders, and \
            "incomplete": true for incomplete downloads.
            """)
    var json = false

    func run() throws {
        let store = try HubFlags.parse([]).makeHub().store
        let models = try store.models()
        let incomplete = try store.incompleteModels()
        let converted = try ConversionCache().models()
        if models.isEmpty, incomplete.isEmpty, converted.isEmpty {
            Console.error("no models in \(store.root.path): 'leap pull NAME' downloads one")
        }
        if json {
            let partial = incomplete.map { ModelReport.json($0.location, size: $0.size, in: store) }
            let reports = models.map(ModelReport.json) + partial + converted.map(ModelReport.json)
            return Console.line(JSONValue.array(reports).text())
        }
        let rows =
            models.map { (name: "\($0.location)", size: $0.size, place: $0.folder.path) }
            + incomplete.map {
                (name: "\($0.location)", size: $0.size, place: store.url(of: $0.location).path + "  (incomplete)")
            }
            + converted.map { (name: $0.name, size: $0.size, place: $0.file.path) }
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows {
            let space = String(repeating: " ", count: width - row.name.count)
            Console.line("\(row.name)\(space)  \(ByteCount.text(row.size))  \(row.place)")
        }
    }
}
