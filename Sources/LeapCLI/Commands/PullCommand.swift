import ArgumentParser
import Foundation
import LeapHub
import LeapJSON
import LeapToolSupport

/// `leap pull`: downloads a model.
struct PullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull", abstract: "Downloads a model, unless it is already on this machine.",
        discussion: """
            NAME is one of the vendor's models, such as LFM2-1.2B, or a Hugging Face repository, as in hf:owner/name; \
            a quantisation may follow, as in LFM2-1.2B:Q4_K_M. The URL of a manifest works too. An interrupted download \
            resumes where it stopped. If a model's architecture is not supported, its download stops after the first \
            bytes.

            Models are stored in leap_models in LEAP_CACHE (default: \(HubConfiguration.defaultRootText)). HF_TOKEN, \
            HF_ENDPOINT, HF_HUB_OFFLINE and the proxy variables are respected.
            """)

    @Argument(help: "The model.")
    var name: String?

    @Flag(help: "Download the model even if it is already on this machine or is not supported.")
    var force = false

    @Flag(help: "Print one JSON object: name, folder, size, files.")
    var json = false

    @OptionGroup(title: "Model") var source: ModelFlags
    @OptionGroup var hub: HubFlags

    func run() async throws {
        guard case .stored(let model) = try await hub.bring(source.download(name), isForced: force) else {
            throw CommandError("the model is a file on this machine: there is nothing to download")
        }
        Console.line(json ? ModelReport.json(model).text() : model.url(of: .model)?.path ?? model.folder.path)
    }
}
