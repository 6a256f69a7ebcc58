import OrderedCollections
import LeapJSON
public import Foundation
import LeapHTTP

extension Hub {
    /// Downloads a model, unless it is already on this machine.
    ///
    /// Cancelling keeps the received data, so that the next download resumes there. Several simultaneous downloads of
    /// one model, in one program or several, share the work.
    ///
    /// - Parameters:
    ///   - reference: The model.
    ///   - isForced: Whether to download a model again that is already on this machine, and to download one of an
    ///     unsupported architecture. A model that is here stays usable until the files that replace its own are
    ///     complete, so there must be space for both.
    ///   - progress: Called during the download, at most ten times a second, and at its end.
    /// - Returns: The complete model.
    /// - Throws: ``HubError`` or `CancellationError`.
    public func download(
        _ reference: ModelReference, isForced: Bool = false,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> StoredModel {
        if !isForced, let model = try whole(cached(reference)) { return model }
        let resolution = try await resolution(reference)
        if !isForced, let model = try whole(store.model(at: resolution.location)) { return model }
        let manifest = try await described(resolution.manifest)
        return try await isForced
            ? replace(manifest, at: resolution.location, progress)
            : bring(manifest, to: resolution.location, isForced: false, progress)
    }

    /// Downloads the files of a model again whose content has changed since their download, or cannot be verified.
    ///
    /// - Returns: The model; `nil` if all of its files are unchanged, so that the problem must have another cause.
    /// - Throws: ``HubError`` or `CancellationError`.
    public func repair(_ model: StoredModel) async throws -> StoredModel? {
        let damaged = try store.damagedFiles(of: model)
        guard !damaged.isEmpty, let source = URL(string: model.manifest.originalUrl ?? "") else { return nil }
        // A stored manifest refers to files by name. Their source URLs are recorded separately.
        var manifest = ResolvedManifest(stored: model, url: source)
        for file in damaged {
            if let index = manifest.files.firstIndex(where: { $0.name == file.name }) {
                manifest.files[index].sha256 = nil
                manifest.files[index].size = nil
            }
        }
        guard manifest.files.count == model.files.count else { return nil }
        let described = try await described(manifest)
        guard let folder = try store.folder(model.location, creates: true) else { return nil }
        folder.remove(ModelStore.manifestName)
        for file in damaged { folder.remove(file.name.text) }
        return try await bring(described, to: model.location, isForced: true) { _ in }
    }

    /// Downloads individually specified files to a model's folder, without a manifest. Files that are on this machine are
    /// linked there, not copied.
    ///
    /// - Parameters:
    ///   - files: The URLs of the files by their role.
    ///   - location: The folder to store them in.
    /// - Throws: ``HubError`` or `CancellationError`.
    public func download(
        files: [ModelFileRole: URL], to location: ModelLocation, isForced: Bool = false,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> StoredModel {
        guard let model = files[.model] else {
            throw HubError.invalidManifest("the model's files", "none of them is the model")
        }
        if !isForced, let stored = try whole(store.model(at: location)), stored.cameFrom(files) { return stored }
        let references = ModelFileRole.allCases.compactMap { role in
            files[role].map { (role.rawValue, JSONValue.string($0.absoluteString)) }
        }
        let document = JSONValue.object([
            "load_time_parameters": .object(OrderedDictionary(uniqueKeysWithValues: references))
        ])
        // References of a manifest on this machine are restricted, even to servers that the app trusts.
        let origin = ModelFileRole.allCases.lazy.compactMap { files[$0] }.first { !$0.isFileURL } ?? model
        let manifest = try ModelManifest(json: document, source: origin.withoutSecrets)
        let resolved = try ResolvedManifest(
            manifest, from: origin, policy: URLPolicy(trusted: Array(files.values)))
        let described = try await described(resolved)
        return try await isForced
            ? replace(described, at: location, progress) : bring(described, to: location, isForced: false, progress)
    }
}

extension Hub {
    /// Returns a model, unless one of its files is incomplete, as older programs may have left it. Such a model is
    /// downloaded again, which requires the network.
    private func whole(_ model: StoredModel?) throws(HubError) -> StoredModel? {
        guard let model, let error = try store.missingEnd(of: model) else { return model }
        if configuration.isOffline { throw error }
        return nil
    }

    /// Downloads all files of a manifest, also those that are here already, then removes what is left of the old model.
    private func replace(
        _ manifest: ResolvedManifest, at location: ModelLocation,
        _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> StoredModel {
        let former = try store.fileNames(at: location)
        var outdated: [FileName: FileStatus] = [:]
        if let folder = try store.folder(location, creates: false) {
            for file in manifest.files { outdated[file.name] = folder.status(file.name.text, follows: false) }
        }
        let model = try await bring(manifest, to: location, isForced: true, outdated: outdated, progress)
        try store.remove(former, except: model.files.map(\.name), at: location)
        return model
    }

    /// Downloads all files of a manifest, several at a time, then writes the manifest.
    ///
    /// - Parameter outdated: The files that are downloaded although they are here, unless another download replaces them in the
    ///   meantime.
    private func bring(
        _ manifest: ResolvedManifest, to location: ModelLocation, isForced: Bool,
        outdated: [FileName: FileStatus] = [:], _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> StoredModel {
        guard let folder = try store.folder(location, creates: true) else {
            throw HubError.file(store.url(of: location).path, "open the folder", "it does not exist")
        }
        try checkSpace(for: manifest, in: folder, outdated)
        let meter = TransferMeter(manifest.files.filter { !$0.isLocal }, progress)
        let architectures = isForced ? nil : configuration.supportedArchitectures
        defer { meter.end() }
        var stored: [FileName: StoredFile] = [:]
        try await withThrowingTaskGroup(of: StoredFile.self) { group in
            var waiting = manifest.files.makeIterator()
            var running = 0
            while true {
                while running < max(1, configuration.parallelFiles), let file = waiting.next() {
                    group.addTask {
                        try await self.bring(file, to: folder, outdated: outdated[file.name], architectures, meter)
                    }
                    running += 1
                }
                guard let file = try await group.next() else { break }
                running -= 1
                stored[file.name] = file
            }
        }
        try store.save(manifest, manifest.files.compactMap { stored[$0.name] }, at: location)
        meter.finish()
        guard let model = try store.model(at: location) else {
            throw HubError.file(folder.url.path, "find the model", "it was removed in the meantime")
        }
        return model
    }

    private func bring(
        _ file: RemoteFile, to folder: Folder, outdated: FileStatus?, _ architectures: [String]?,
        _ meter: TransferMeter
    ) async throws -> StoredFile {
        if file.isLocal { return try link(file, in: folder) }
        if let copy = HuggingFaceCache(configuration)?.copy(of: file),
            outdated != nil || folder.status(file.name.text, follows: true)?.size != file.size
        {
            try folder.link(file.name.text, to: copy)
        }
        let transfer = Transfer(
            file: file, folder: folder, fetcher: fetcher, meter: meter, architectures: architectures,
            outdated: outdated)
        return try await configuration.activity.run { try await transfer.run() }
    }

    private func link(_ file: RemoteFile, in folder: Folder) throws(HubError) -> StoredFile {
        try folder.link(file.name.text, to: file.url)
        guard let status = folder.status(file.name.text, follows: true), status.isRegular else {
            folder.remove(file.name.text)
            throw .file(file.url.path, "open", "there is no such file")
        }
        return StoredFile(
            role: file.role, name: file.name, size: status.size, sha256: nil, url: file.url.absoluteString)
    }

    /// Checks the free space before anything is downloaded.
    private func checkSpace(
        for manifest: ResolvedManifest, in folder: Folder, _ outdated: [FileName: FileStatus]
    ) throws(HubError) {
        var need: Int64 = 0
        let cache = HuggingFaceCache(configuration)
        for file in manifest.files where !file.isLocal && cache?.copy(of: file) == nil {
            let whole = outdated[file.name] == nil ? folder.status(file.name.text, follows: true) : nil
            let here =
                whole?.size ?? folder.status(PartialFile.temporaryName(file.name), follows: false)?.size ?? 0
            need = need.addingReportingOverflow(max(0, (file.size ?? 0) - here)).partialValue
        }
        guard let have = configuration.availableSpace(folder.url), have < need else { return }
        throw .insufficientSpace(folder.url, need: need, have: have)
    }
}

extension ResolvedManifest {
    /// Creates the manifest of a stored model, with the URLs that its files were downloaded from.
    fileprivate init(stored model: StoredModel, url: URL) {
        manifest = model.manifest
        self.url = url
        files = model.files.compactMap { file in
            URL(string: file.url).map {
                RemoteFile(role: file.role, url: $0, name: file.name, size: file.size, sha256: file.sha256)
            }
        }
    }
}

extension StoredModel {
    /// Returns whether the model was downloaded from these URLs.
    fileprivate func cameFrom(_ urls: [ModelFileRole: URL]) -> Bool {
        urls.allSatisfy { role, url in
            files.contains { $0.role == role && $0.url == url.withoutCredentials.absoluteString }
        }
    }
}
