import ArgumentParser
import LeapChat
import LeapHub
import LeapToolSupport

/// `leap show`: what a model consists of.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows a model's files, and where they are or would come from.",
        discussion: "A model that is not on this machine is looked up, and not downloaded.")

    @Argument(help: "The model; see 'leap help pull'.")
    var name: String

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var hub: HubFlags

    func run() async throws {
        let reference = try ModelName.reference(name)
        if let model = try hub.makeHub().cached(reference) {
            return Console.line(json ? ModelReport.json(model).text() : ModelReport.text(model))
        }
        let (manifest, location) = try await hub.lookUp(reference)
        Console.line(
            json
                ? ModelReport.json(manifest, at: location).text() : ModelReport.text(manifest, at: location))
    }
}
