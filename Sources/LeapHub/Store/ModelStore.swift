import OrderedCollections
import LeapJSON
public import Foundation
import LeapHTTP

/// The models on this machine: folders `ROOT/MODEL/QUANTISATION/`, each with the model's files and a `manifest.json`.
///
/// The manifest is written last. A folder is a complete model if it contains a manifest and files of the sizes given
/// there; otherwise it is incomplete.
public struct ModelStore: Sendable {
    /// The folder for all models.
    public let root: URL

    static let manifestName = "manifest.json"

    /// Creates a store in a folder, which need not exist.
    public init(root: URL) { self.root = root }

    /// Returns the folder of a model, whether or not it exists.
    public func url(of location: ModelLocation) -> URL {
        root.appending(path: location.model.text, directoryHint: .isDirectory)
            .appending(path: location.quantization.text, directoryHint: .isDirectory)
    }

    /// Returns a model; `nil` if it is missing or incomplete, or its manifest is invalid.
    ///
    /// - Throws: ``HubError`` if a folder cannot be read.
    public func model(at location: ModelLocation) throws(HubError) -> StoredModel? {
        guard let folder = try folder(location, creates: false),
            let bytes = try folder.read(Self.manifestName)
        else { return nil }
        do {
            return try model(bytes, in: folder, at: location)
        } catch .unexpectedContent, .invalidManifest, .invalidName {
            return nil
        }
    }

    /// Returns the manifest of a model, even if its files are incomplete; `nil` if there is none, or it is invalid.
    func manifest(at location: ModelLocation) throws(HubError) -> ModelManifest? {
        guard let folder = try folder(location, creates: false), let bytes = try folder.read(Self.manifestName) else {
            return nil
        }
        return try? ModelManifest(bytes, source: folder.url.appending(path: Self.manifestName).path)
    }

    private func model(_ bytes: Data, in folder: Folder, at location: ModelLocation) throws(HubError) -> StoredModel? {
        let path = folder.url.appending(path: Self.manifestName).path
        let manifest = try ModelManifest(bytes, source: path)
        var files: [StoredFile] = []
        for entry in manifest.json["files"]?.array ?? [] {
            guard let file = try StoredFile(entry, source: path) else { continue }
            guard let status = folder.status(file.name.text, follows: true), status.isRegular,
                status.size == file.size
            else { return nil }
            files.append(file)
        }
        guard files.contains(where: { $0.role == .model }) else { return nil }
        let document = manifest.replacing(references: [:], members: ["path_on_disk": .string(path)])
        return StoredModel(
            location: location, folder: folder.url, manifest: try ModelManifest(json: document, source: path),
            files: files)
    }

    /// Returns all complete models, sorted by name. Models that cannot be read are omitted.
    public func models() throws(HubError) -> [StoredModel] {
        var models: [StoredModel] = []
        for model in try folders(in: []) {
            for quantization in try folders(in: [model]) {
                let location = ModelLocation(model: model, quantization: quantization)
                // One broken folder must not hide the others.
                if let found = try? self.model(at: location) { models.append(found) }
            }
        }
        return models
    }

    /// Where a model lies that a reference names, or would go. A model is stored under the spelling of where it came from, so
    /// that a name in other letters finds it too. A folder of the very name that was given, as models of manifests have, comes
    /// before the usual spelling of a quantisation.
    package func location(of reference: ModelReference) throws(HubError) -> ModelLocation {
        let usual = try ModelLocation(reference)
        let model = try folders(in: []).spelling(of: usual.model)
        let quantizations = try folders(in: [model])
        if let given = try reference.quantization.map({ name throws(HubError) in try FileName(name) }),
            quantizations.contains(given)
        {
            return ModelLocation(model: model, quantization: given)
        }
        return ModelLocation(model: model, quantization: quantizations.spelling(of: usual.quantization))
    }

    /// Returns the folders of one name, with a complete model or without.
    package func locations(named name: FileName) throws(HubError) -> [ModelLocation] {
        var locations: [ModelLocation] = []
        for quantization in try folders(in: [name]) {
            locations.append(ModelLocation(model: name, quantization: quantization))
        }
        return locations
    }

    /// Returns the folders with files that are no complete model, and the size of these in bytes, sorted by name: downloads
    /// that run or were interrupted. Folders that cannot be read are omitted.
    package func incompleteModels() throws(HubError) -> [(location: ModelLocation, size: Int64)] {
        var found: [(location: ModelLocation, size: Int64)] = []
        for name in try folders(in: []) {
            for location in try locations(named: name) {
                // One broken folder must not hide the others.
                guard (try? model(at: location)) == nil, let files = try? files(at: location), !files.isEmpty
                else { continue }
                found.append((location, files.reduce(0) { $0 + $1.size }))
            }
        }
        return found
    }

    /// Returns the size in bytes of what a model's folder contains, complete or not.
    package func size(of location: ModelLocation) throws(HubError) -> Int64 {
        if let model = try model(at: location) { return model.size }
        return try files(at: location).reduce(0) { $0 + $1.size }
    }

    /// The regular files in a folder.
    private func files(at location: ModelLocation) throws(HubError) -> [FileStatus] {
        guard let folder = try folder(location, creates: false) else { return [] }
        return try folder.names().compactMap { folder.status($0, follows: false) }.filter(\.isRegular)
    }

    /// The whole models of one name.
    func models(named name: FileName) throws(HubError) -> [StoredModel] {
        var models: [StoredModel] = []
        for quantization in try folders(in: [name]) {
            if let found = try model(at: ModelLocation(model: name, quantization: quantization)) {
                models.append(found)
            }
        }
        return models
    }

    /// Removes a model's folder, complete or not, and its parent folder if that becomes empty.
    ///
    /// - Returns: Whether the folder existed.
    /// - Throws: ``HubError/file(_:_:_:)`` if it cannot be removed.
    @discardableResult
    public func remove(_ location: ModelLocation) throws(HubError) -> Bool {
        guard let folder = try folder(location, creates: false) else { return false }
        // Removed first: without its manifest the folder is no longer a model, even if removing the rest fails.
        folder.remove(Self.manifestName)
        try removeAll(in: folder, of: location)
        // Fails, as it should, while it contains other quantisations.
        rmdir(root.appending(path: location.model.text).path)
        return true
    }

    /// Removes a model's folder with everything in it, while other processes may do the same.
    private func removeAll(in folder: Folder, of location: ModelLocation) throws(HubError) {
        var problem = ""
        for _ in 1...100 {
            do {
                return try FileManager.default.removeItem(at: folder.url)
            } catch {
                // Somebody else was faster with one of the files, or with the folder.
                guard try self.folder(location, creates: false) != nil else { return }
                problem = error.localizedDescription
                guard (error as? CocoaError)?.code == .fileNoSuchFile else { break }
            }
        }
        throw .file(folder.url.path, "remove", problem)
    }

    func folder(_ location: ModelLocation, creates: Bool) throws(HubError) -> Folder? {
        try Folder.open([location.model, location.quantization], in: root, creates: creates)
    }

    private func folders(in path: [FileName]) throws(HubError) -> [FileName] {
        guard let folder = try Folder.open(path, in: root, creates: false) else { return [] }
        var names: [FileName] = []
        for name in try folder.names() where FileName.objection(to: name) == nil {
            guard let status = folder.status(name, follows: false), !status.isLink, !status.isRegular else { continue }
            names.append(try FileName(name))
        }
        return names
    }
}

extension ModelStore {
    /// Writes the manifest of a model whose files are all there: this makes it a model.
    func save(_ resolved: ResolvedManifest, _ files: [StoredFile], at location: ModelLocation) throws(HubError) {
        guard let folder = try folder(location, creates: true) else { return }
        var references: [ModelFileRole: String] = [:]
        for role in ModelFileRole.allCases { references[role] = resolved.fileName(of: role) }
        let document = resolved.manifest.replacing(
            references: references,
            members: [
                "original_url": .string(resolved.url.withoutCredentials.absoluteString),
                "files": .array(files.map(\.json)),
                "path_on_disk": nil,
            ])
        try folder.write(Data(document.text(.pretty).utf8), to: Self.manifestName)
        folder.removeLeftovers()
    }

    /// The names of a model's files according to its manifest, whether or not they are there; none without a valid manifest.
    func fileNames(at location: ModelLocation) throws(HubError) -> [FileName] {
        let entries = try manifest(at: location)?.json["files"]?.array ?? []
        return entries.compactMap { entry in entry["name"]?.string.flatMap { try? FileName($0) } }
    }

    /// Removes files of a model that is stored again without them.
    func remove(_ names: [FileName], except kept: [FileName], at location: ModelLocation) throws(HubError) {
        guard let folder = try folder(location, creates: false) else { return }
        // Some file systems ignore case.
        let kept = Set([Self.manifestName] + kept.map { $0.text.lowercased() })
        for name in names where !kept.contains(name.text.lowercased()) { folder.remove(name.text) }
    }

    /// The files that have changed since their download, cannot be verified, or are incomplete; without those that were on
    /// this machine and are only linked.
    ///
    /// - Throws: ``HubError``, or `CancellationError`.
    func damagedFiles(of model: StoredModel) throws -> [StoredFile] {
        guard let folder = try folder(model.location, creates: false) else { return model.files }
        var damaged: [StoredFile] = []
        for file in model.files where URL(string: file.url)?.isFileURL != true {
            if let sha256 = file.sha256, try folder.sha256(of: file.name.text) == sha256,
                try folder.missingEnd(of: file.name) == nil
            {
                continue
            }
            damaged.append(file)
        }
        return damaged
    }
}

extension StoredFile {
    fileprivate var json: JSONValue {
        var members: OrderedDictionary<String, JSONValue> = [
            "name": .string(name.text), "role": .string(role.rawValue), "size": .integer(Int(clamping: size)),
            "url": .string(url),
        ]
        if let sha256 { members["sha256"] = .string(sha256) }
        return .object(members)
    }

    /// Reads an entry of a stored manifest; `nil` for a role of the future.
    fileprivate init?(_ json: JSONValue, source: String) throws(HubError) {
        guard let name = json["name"]?.string, let role = json["role"]?.string, let size = json["size"]?.int64 else {
            throw .invalidManifest(source, "an entry of 'files' has no name, role or size")
        }
        guard let role = ModelFileRole(rawValue: role) else { return nil }
        self.init(
            role: role, name: try FileName(name), size: size, sha256: json["sha256"]?.string,
            url: json["url"]?.string ?? "")
    }
}

extension [FileName] {
    /// The name itself if it is here, else one that differs in the case of letters only, else the name.
    fileprivate func spelling(of name: FileName) -> FileName {
        guard !contains(name) else { return name }
        let lowercased = name.text.lowercased()
        return first { $0.text.lowercased() == lowercased } ?? name
    }
}
