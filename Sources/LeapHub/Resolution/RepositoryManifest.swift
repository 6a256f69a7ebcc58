import OrderedCollections
import LeapJSON
import Foundation
import LeapHTTP

extension HuggingFaceRepository {
    /// Creates a manifest from the names of the files.
    ///
    /// - Parameters:
    ///   - wanted: The quantisation of the model; `nil` chooses the default one.
    ///   - policy: Decides which URLs are allowed.
    /// - Returns: The manifest with its files, and the chosen quantisation; `nil` if there is no such quantisation.
    func manifest(quantization wanted: String?, policy: URLPolicy) throws(HubError) -> (ResolvedManifest, String?)? {
        let chosen = wanted.map(Quantization.canonical) ?? Quantization.choice(of: quantizations)
        let candidates = models.filter { chosen == nil || $0.quantization == chosen }
        // Of several, the plainest name.
        guard let model = candidates.min(by: { ($0.name.count, $0.path) < ($1.name.count, $1.path) }) else {
            return nil
        }

        var references: [ModelFileRole: Entry] = [.model: model]
        for role in ModelFileRole.allCases where role != .model {
            references[role] = companion(role, quantization: chosen)
        }
        let json = JSONValue.object([
            "schema_version": .string("1.0.0"), "inference_type": .string(Self.inferenceType(references)),
            "load_time_parameters": .object(
                OrderedDictionary(
                    uniqueKeysWithValues: ModelFileRole.allCases.compactMap { role in
                        references[role].map { (role.rawValue, .string(url(of: $0.path).absoluteString)) }
                    })
            ),
        ])
        let manifest = try ModelManifest(json: json, source: url.withoutSecrets)
        var resolved = try ResolvedManifest(manifest, from: url, policy: policy)
        resolved.describe(by: self)
        return (resolved, chosen)
    }

    /// Returns the best matching companion file: the one with the same quantisation, otherwise the most precise one.
    private func companion(_ role: ModelFileRole, quantization: String?) -> Entry? {
        let candidates = entries.filter { $0.role == role }
        let order = [quantization].compactMap(\.self) + ["F16", "BF16", "Q8_0", "F32"]
        for name in order {
            if let match = candidates.first(where: { $0.quantization == name }) { return match }
        }
        return candidates.min { $0.path < $1.path }
    }

    private static func inferenceType(_ files: [ModelFileRole: Entry]) -> String {
        if files[.audioDecoder] != nil { return "llama.cpp/lfm2-audio-v1" }
        return files[.multimodalProjector] != nil ? "llama.cpp/image-to-text" : "llama.cpp/text-to-text"
    }
}

extension ResolvedManifest {
    /// Completes the files with the metadata in a repository's list.
    mutating func describe(by repository: HuggingFaceRepository) {
        for index in files.indices {
            guard let entry = repository.entry(at: files[index].url) else { continue }
            files[index].size = entry.size
            files[index].sha256 = entry.sha256
        }
    }
}
