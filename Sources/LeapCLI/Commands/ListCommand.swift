import ArgumentParser
import Foundation
import LeapHub
import LeapJSON
import LeapToolSupport

/// `leap list`: the models on this machine.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the models that were downloaded.")

    @Flag(help: "Print one JSON array: name, folder, size, files of each.")
    var json = false

    func run() throws {
        let store = try HubFlags.parse([]).makeHub().store
        let models = try store.models()
        if models.isEmpty { Console.error("no models in \(store.root.path): 'leap pull NAME' brings one") }
        if json { return Console.line(JSONValue.array(models.map(ModelReport.json)).text()) }
        let width = models.map { "\($0.location)".count }.max() ?? 0
        for model in models {
            let name = "\(model.location)"
            Console.line(
                name + String(repeating: " ", count: width - name.count) + "  " + ByteCount.text(model.size) + "  "
                    + model.folder.path)
        }
    }
}
