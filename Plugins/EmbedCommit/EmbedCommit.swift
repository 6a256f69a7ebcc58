import Foundation
import PackagePlugin

/// Compiles the commit hash into the tools, if git can determine it.
///
/// A source tree that is not a repository, such as an extracted archive, and a machine without git build as well: the
/// commit is then unknown. The command is rerun only if the commit, or whether the working tree differs from it, has
/// changed.
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

    /// The abbreviated hash, marked if files differ from it, and the number of commits up to it; empty if git does not
    /// know.
    private func commit(of folder: URL) -> String {
        let repository = Repository(folder)
        guard let hash = repository.answer("describe", "--always", "--dirty", "--exclude=*") else { return "" }
        // Commits that a shallow clone lacks cannot be counted.
        let isWhole = repository.answer("rev-parse", "--is-shallow-repository") == "false"
        guard isWhole, let number = repository.answer("rev-list", "--count", "HEAD") else { return hash }
        return "\(hash) \(number)"
    }

    /// Keeps the file's date if its contents are unchanged, so that nothing is rebuilt.
    private func write(_ text: String, to file: URL) throws {
        guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
        try Data(text.utf8).write(to: file, options: .atomic)
    }
}

/// Queries git about a folder that is a repository of its own. A folder inside another repository does not count.
private struct Repository {
    let folder: URL

    init(_ folder: URL) { self.folder = folder }

    /// The first line of git's output; `nil` if git fails or is not installed.
    func answer(_ arguments: String...) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Without optional locks, so that it does not interfere with other git processes.
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
