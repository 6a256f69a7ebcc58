import ArgumentParser
import Foundation
import LeapConvert
import LeapGGUF
package import LeapHub
import LeapEngine
import LeapModels

/// Flags of all commands that may download.
package struct HubFlags: ParsableArguments {
    @Flag(help: "Do not download anything; use only models on this machine.")
    private var offline = false

    @Option(
        name: [.customLong("hft", withSingleDash: true), .customLong("hf-token")],
        help: ArgumentHelp(
            "A Hugging Face token (default: HF_TOKEN, which, unlike a flag, other users cannot see).",
            valueName: "token"))
    private var token: String?

    /// Flags with their default values.
    package init() {}

    /// The hub that the environment configures.
    package func makeHub() throws -> Hub {
        do {
            var configuration = try HubConfiguration()
            configuration.supportedArchitectures = Embedder.supportedArchitectures
            if offline { configuration.isOffline = true }
            if let token { configuration.token = token }
            configuration.userAgent = "leap/\(Engine.version)"
            return Hub(configuration: configuration)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Downloads a model, with progress on standard error. Ctrl-C stops the download; what has arrived is kept.
    package func pull(_ reference: ModelReference, isForced: Bool = false) async throws -> StoredModel {
        let hub = try makeHub()
        if !isForced, let model = try hub.cached(reference) { return model }
        return try await transfer("\(reference)") { line in
            try await hub.download(reference, isForced: isForced) { line.update($0) }
        }
    }

    /// The same for one file of a repository.
    private func pull(_ path: String, of repository: String, isForced: Bool) async throws -> StoredModel {
        let hub = try makeHub()
        let url = hub.configuration.huggingFace.appending(path: "\(repository)/resolve/main/\(path)")
        let location = try ModelLocation(repository: repository, file: path)
        return try await transfer("hf:\(repository)/\(path)") { line in
            try await hub.download(files: [.model: url], to: location, isForced: isForced) { line.update($0) }
        }
    }

    private func transfer(
        _ name: String, _ work: @escaping @Sendable (TransferLine) async throws -> StoredModel
    ) async throws -> StoredModel {
        let line = TransferLine(name)
        do {
            line.begin()
            defer { line.finish() }
            return try await Interruption.cancelling { try await work(line) }
        } catch is CancellationError {
            Console.error("download stopped: run the same command again to resume it")
            throw ExitCode(Interruption.exitCode)
        }
    }

    /// Looks up a model that is not on this machine, announcing the network request on a terminal.
    package func lookUp(
        _ reference: ModelReference
    ) async throws -> (manifest: ResolvedManifest, location: ModelLocation) {
        let hub = try makeHub()
        let line = TransferLine("\(reference)")
        line.begin()
        defer { line.finish() }
        return try await hub.resolve(reference)
    }
}

// MARK: - Files to load

/// A model on this machine.
package enum LocalModel: Sendable {
    /// A file that the user named.
    case file(String)
    /// One that was downloaded.
    case stored(StoredModel)

    /// The path of its weights.
    package var path: String {
        switch self {
        case .file(let path): path
        case .stored(let model): model.url(of: .model)?.path ?? model.folder.path
        }
    }
}

extension HubFlags {
    /// A model to compute with; it is downloaded if it is not on this machine.
    ///
    /// - Parameter isForced: Whether an existing one is downloaded again.
    package func bring(_ name: ModelName, isForced: Bool = false) async throws -> LocalModel {
        switch name {
        case .file(let path): .file(try Self.file(at: path))
        case .reference(let reference): .stored(try await pull(reference, isForced: isForced))
        case .repositoryFile(let repository, let path):
            .stored(try await pull(path, of: repository, isForced: isForced))
        }
    }

    /// A model for a command that only inspects it, and therefore never downloads.
    ///
    /// - Throws: ``CommandError`` for a model that is not on this machine. It says what would be downloaded, and how.
    package func find(_ name: ModelName) async throws -> LocalModel {
        if case .file(let path) = name { return .file(try Self.file(at: path)) }
        guard let model = try stored(name) else { throw try await absence(of: name) }
        return .stored(model)
    }

    /// The file for a path: for a folder in the layout of Hugging Face's libraries, its converted file.
    ///
    /// - Throws: ``CommandError`` for other folders, listing the files in it that could be named.
    private static func file(at path: String) throws -> String {
        if ModelFolder.isModelFolder(path) { return try ConvertedFolder(path: path).file() }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return path }
        let files = names.filter { $0.hasSuffix(".gguf") }.sorted()
        guard files.isEmpty else {
            throw CommandError(
                "'\(path)' is a folder: give a file in it, such as \(files.prefix(3).joined(separator: ", "))")
        }
        throw CommandError(
            "'\(path)' is a folder without a model: expected config.json, model.safetensors and tokenizer.json, or GGUF files"
        )
    }

    /// A model that was downloaded; `nil` if it is not on this machine, or is a file that the user named.
    package func stored(_ name: ModelName) throws -> StoredModel? {
        switch name {
        case .file: nil
        case .reference(let reference): try makeHub().cached(reference)
        case .repositoryFile(let repository, let path):
            try makeHub().store.model(at: ModelLocation(repository: repository, file: path))
        }
    }

    /// An error that says that a model is not on this machine, and how to download it.
    package func absence(of name: ModelName) async throws -> CommandError {
        switch name {
        case .file(let path): MissingFile(path: path).error
        case .reference(let reference): try await absence(of: reference)
        case .repositoryFile(let repository, let path):
            CommandError(
                "'\(name)' is not on this machine: 'leap pull -hf \(repository) -hff \(path)' downloads it"
            )
        }
    }

    private func absence(of reference: ModelReference) async throws -> CommandError {
        let (manifest, location) = try await lookUp(reference)
        let sizes = manifest.files.compactMap(\.size)
        let size =
            sizes.count == manifest.files.count ? ByteCount.text(sizes.reduce(0, +)) : "an unknown number of bytes"
        return CommandError(
            "'\(reference)' is not on this machine: 'leap pull \(reference.name(at: location))' downloads \(size) (\(manifest.names))"
        )
    }
}

extension ResolvedManifest {
    /// The names of the files, or their number.
    fileprivate var names: String {
        files.count > 3 ? "\(files.count) files" : files.map(\.name.text).joined(separator: ", ")
    }
}

extension ModelReference {
    /// The name by which a model that was looked up is downloaded: its name with the chosen quantisation, or the URL of
    /// a manifest, which has no other name before it is downloaded.
    package func name(at location: ModelLocation) -> String {
        if case .manifest = self { return "\(self)" }
        return "\(location)"
    }
}

extension ModelLocation {
    /// The location of one file of a Hugging Face repository: beside the repository's quantisations, under its own
    /// name.
    ///
    /// - Throws: A usage error for a file that is only part of a model.
    package init(repository: String, file path: String) throws {
        let stem = path.split(separator: "/").joined(separator: "-")
        guard ShardName(stem) == nil else {
            throw ValidationError(
                "--hf-file \(path) is one file of a split model: select the model by its quantisation, as in "
                    + "-hf \(repository):Q4_K_M.")
        }
        let name = stem.hasSuffix(".gguf") ? String(stem.dropLast(5)) : stem
        self.init(
            model: try ModelLocation(.repository(repository, quantization: nil)).model,
            quantization: try FileName(name.uppercased()))
    }
}
