import ArgumentParser
import LeapHub
import LeapJSON
import LeapToolSupport

/// `leap show`: the parts of a model.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a model's files, and where they are or would be downloaded from.",
        discussion: "A model that is not on this machine is looked up but not downloaded.")

    @Argument(help: "The model; see 'leap help pull'.")
    var name: String?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup var hub: HubFlags

    func run() async throws {
        let name = try source.download(name)
        if let model = try hub.stored(name) {
            return Console.line(json ? ModelReport.json(model).text() : ModelReport.text(model))
        }
        switch name {
        case .file(let path): throw CommandError("'\(path)' is a file: 'leap inspect' shows its contents")
        case .repositoryFile: throw try await hub.absence(of: name)
        case .reference(let reference):
            let (manifest, location) = try await hub.lookUp(reference)
            Console.line(
                json
                    ? ModelReport.json(manifest, at: location).text()
                    : ModelReport.text(manifest, at: location, pulledAs: reference.name(at: location)))
        }
    }
}
