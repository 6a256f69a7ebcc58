import LeapJSON

/// Which models there are, by name, and which quantisations each has.
struct Catalogue {
    private(set) var models: [String: Set<String>] = [:]

    mutating func add(_ model: String, _ quantizations: some Sequence<String>) {
        models[model, default: []].formUnion(quantizations)
    }

    /// Adds the manifests of the vendor's repository of bundles: paths of the form `MODEL-GGUF/QUANTISATION.json`.
    mutating func add(bundles: HuggingFaceRepository) {
        for entry in bundles.entries {
            let parts = entry.path.split(separator: "/")
            guard parts.count == 2, parts[1].hasSuffix(".json") else { continue }
            add(
                parts[0].hasSuffix("-GGUF") ? String(parts[0].dropLast(5)) : String(parts[0]),
                [String(parts[1].dropLast(5))])
        }
    }

    /// The model of this name, regardless of case.
    func name(like name: String) -> String? {
        models[name] != nil ? name : models.keys.first { $0.lowercased() == name.lowercased() }
    }

    /// Why there is nothing of a name and quantisation.
    func error(for name: String, quantization: String?) -> HubError {
        guard let known = self.name(like: name), let quantization else {
            return .unknownModel(name, available: models.keys.nearest(to: name))
        }
        return .unknownQuantization(
            quantization, model: known, available: (models[known] ?? []).nearest(to: quantization))
    }
}
