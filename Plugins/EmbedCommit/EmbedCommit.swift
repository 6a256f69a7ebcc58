import Foundation
import PackagePlugin

/// Compiles the commit that is built into the tools, where git can tell it.
///
/// A source that is no repository, as from an archive, or a machine without git builds as well: the commit is unknown.
/// The command runs anew only when the commit, or whether anything differs from it, has changed.
@main struct EmbedCommit: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let text = context.pluginWorkDirectoryURL.appending(path: "commit.txt")
        let source = context.pluginWorkDirectoryURL.appending(path: "EmbeddedCommit.swift")
        try write(commit(of: context.package.directoryURL), to: text)
        return [
            .buildCommand(
                displayName: "Embedding the commit", executable: try context.tool(named: "EmbedFile").url,
                arguments: [source.path(percentEncoded: false), "EmbeddedCommit", text.path(percentEncoded: false)],
                inputFiles: [text], outputFiles: [source])
        ]
    }

    /// The abbreviated hash, marked where files differ from it, and the number of commits up to it; nothing where git
    /// does not know.
    private func commit(of folder: URL) -> String {
        let repository = Repository(folder)
        guard let hash = repository.answer("describe", "--always", "--dirty", "--exclude=*") else { return "" }
        // What is not there of a shallow clone cannot be counted.
        let isWhole = repository.answer("rev-parse", "--is-shallow-repository") == "false"
        guard isWhole, let number = repository.answer("rev-list", "--count", "HEAD") else { return hash }
        return "\(hash) \(number)"
    }

    /// A file that keeps its date where its content stays, so that nothing is built again.
    private func write(_ text: String, to file: URL) throws {
        guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
        try Data(text.utf8).write(to: file, options: .atomic)
    }
}

/// What git knows of a folder that is a repository of its own. One that merely lies in another repository is none.
private struct Repository {
    let folder: URL

    init(_ folder: URL) { self.folder = folder }

    /// The first line that git prints; `nil` where it fails or is not there.
    func answer(_ arguments: String...) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Without optional locks: nobody else's git is in the way.
        process.arguments =
            ["git", "--no-optional-locks", "--git-dir", path(".git"), "--work-tree", path("")] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil, let data = try? output.fileHandleForReading.readToEnd() else { return nil }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }
}
