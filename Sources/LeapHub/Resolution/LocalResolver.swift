import Foundation
import LeapJSON

/// Finds the manifest that a reference stands for among what other programs have brought to this machine: where the network
/// must not be asked.
struct LocalResolver {
    let configuration: HubConfiguration

    /// A repository's manifest and its quantisation, from what Hugging Face's cache holds of it; `nil` if it lacks a
    /// file.
    func manifest(
        ofRepository name: String, _ quantization: String?
    ) throws(HubError) -> (manifest: ResolvedManifest, quantization: String?)? {
        guard let cache = HuggingFaceCache(configuration), let repository = cache.repository(name) else { return nil }
        if let found = try ownManifest(of: repository, quantization, cache) { return found }
        guard let made = try repository.manifest(quantization: quantization, policy: configuration.policy),
            made.0.files.allSatisfy({ cache.copy(of: $0) != nil })
        else { return nil }
        return made
    }

    /// The manifest that is among a repository's files; `nil` if that is not so, or names a file that is not here.
    private func ownManifest(
        of repository: HuggingFaceRepository, _ quantization: String?, _ cache: HuggingFaceCache
    ) throws(HubError) -> (ResolvedManifest, String?)? {
        let chosen = quantization.map(Quantization.canonical) ?? Quantization.choice(of: repository.quantizations)
        guard let chosen, let entry = repository.entries.first(where: { $0.path == "leap/\(chosen).json" }) else {
            return nil
        }
        let url = repository.url(of: entry.path)
        let document = RemoteFile(role: .model, url: url, name: try FileName(entry.name), size: entry.size)
        guard let copy = cache.copy(of: document), let bytes = try OpenFile.contents(of: copy) else { return nil }
        var resolved = try ResolvedManifest(
            ModelManifest(bytes, source: copy.path), from: url, policy: configuration.policy)
        resolved.describe(by: repository)
        return resolved.files.allSatisfy { cache.copy(of: $0) != nil } ? (resolved, chosen) : nil
    }

    /// Why a model cannot be had, and which ones can.
    func error(for reference: ModelReference) -> HubError {
        // A store that cannot be read has nothing to offer.
        let stored = (try? ModelStore(root: configuration.models).models()) ?? []
        var names = stored.map(\.location.description)
        if let cache = HuggingFaceCache(configuration) {
            for name in cache.repositories() {
                names += (cache.repository(name)?.quantizations ?? []).map { "hf:\(name):\($0)" }
            }
        }
        return .offline("the model '\(reference)'", available: names.nearest(to: "\(reference)"))
    }
}
