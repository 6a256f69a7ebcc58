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
            path, with that file. 'leap rm' accepts any name in the list.
            """)

    @Flag(help: "Print one JSON array: name, folder, size and files of each, and convertedFrom for converted folders.")
    var json = false

    func run() throws {
        let store = try HubFlags.parse([]).makeHub().store
        let models = try store.models()
        let converted = try ConversionCache().models()
        if models.isEmpty, converted.isEmpty {
            Console.error("no models in \(store.root.path): 'leap pull NAME' downloads one")
        }
        if json {
            let reports = models.map(ModelReport.json) + converted.map(ModelReport.json)
            return Console.line(JSONValue.array(reports).text())
        }
        let rows =
            models.map { (name: "\($0.location)", size: $0.size, place: $0.folder) }
            + converted.map { (name: $0.name, size: $0.size, place: $0.file) }
        let width = rows.map(\.name.count).max() ?? 0
        for row in rows {
            let space = String(repeating: " ", count: width - row.name.count)
            Console.line("\(row.name)\(space)  \(ByteCount.text(row.size))  \(row.place.path)")
        }
    }
}
