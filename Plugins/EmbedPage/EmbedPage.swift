import Foundation
import PackagePlugin

/// Compiles the server's web page into the library, so that it needs no files next to the executable.
@main struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Page")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        let source = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPage.swift")
        return [
            .buildCommand(
                displayName: "Embedding the page", executable: try context.tool(named: "EmbedFile").url,
                arguments: [source.path(percentEncoded: false), "EmbeddedPage"]
                    + files.map { $0.path(percentEncoded: false) },
                inputFiles: files, outputFiles: [source])
        ]
    }
}
