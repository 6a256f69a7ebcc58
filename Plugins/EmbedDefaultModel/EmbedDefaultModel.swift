import PackagePlugin

/// Compiles the default model into the tool, so that `leap run` works wherever the executable is placed.
///
/// SwiftPM's own resources are in a folder next to the executable, which `swift package experimental-install` does not
/// install, and `.embedInCode` generates an array literal that takes the compiler minutes for a file of megabytes.
@main struct EmbedDefaultModel: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let model = context.package.directoryURL.appending(path: "Fixtures/leap-tiny/leap-tiny-q8_0.gguf")
        let source = context.pluginWorkDirectoryURL.appending(path: "EmbeddedModel.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(model.lastPathComponent)",
                executable: try context.tool(named: "EmbedFile").url,
                arguments: [
                    source.path(percentEncoded: false), "EmbeddedModel", model.path(percentEncoded: false),
                ],
                inputFiles: [model], outputFiles: [source])
        ]
    }
}
