import LeapGGUF
import LeapJSON
import OrderedCollections

/// The tensors of a model, from one safetensors file or several with an index.
package struct StoredTensors {
    /// File after file, in the order of their data.
    package let all: [StoredTensor]

    /// Opens `model.safetensors` or, without one, the files that `model.safetensors.index.json` names: as transformers do, which
    /// ignore an index beside the one file.
    ///
    /// - Throws: ``ConversionError`` if a file is malformed or missing, or if the index and the files contradict each
    ///   other; ``GGUFError`` if bytes cannot be read.
    package init(_ folder: ModelFolder) throws {
        if folder.has("model.safetensors") {
            all = try SafetensorsFile(path: folder.file("model.safetensors")).tensors
            return
        }
        guard let index = try folder.jsonIfPresent("model.safetensors.index.json") else {
            if let other = Self.otherFormats.first(where: folder.has) {
                throw ConversionError.file(
                    path: folder.file(other),
                    problem: "only safetensors files are supported; 'save_pretrained' of transformers writes them")
            }
            throw ConversionError.missingFile(folder: folder.path, expected: "model.safetensors")
        }
        let places = try Self.places(index, folder.file("model.safetensors.index.json"))
        var tensors: [StoredTensor] = []
        var seen: [String: String] = [:]
        for part in Set(places.values).sorted() {
            guard folder.has(part) else { throw ConversionError.missingFile(folder: folder.path, expected: part) }
            for tensor in try SafetensorsFile(path: folder.file(part)).tensors {
                if let other = seen.updateValue(part, forKey: tensor.name) {
                    throw ConversionError.tensor(name: tensor.name, problem: "is both in \(other) and in \(part)")
                }
                guard places[tensor.name] == part else {
                    throw ConversionError.tensor(
                        name: tensor.name,
                        problem: "is in \(part), but model.safetensors.index.json does not list it there")
                }
                tensors.append(tensor)
            }
        }
        for (name, part) in places.sorted(by: { $0.key < $1.key }) where seen[name] == nil {
            throw ConversionError.tensor(name: name, problem: "is not in \(part), where the index lists it")
        }
        all = tensors
    }

    /// The weight files of older models.
    private static let otherFormats = [
        "pytorch_model.bin", "pytorch_model.bin.index.json", "consolidated.00.pth", "tf_model.h5", "flax_model.msgpack",
    ]

    /// The file of each tensor. A name with a path separator could refer to a file outside the folder.
    private static func places(_ index: JSONValue, _ path: String) throws(ConversionError) -> [String: String] {
        guard let map = index["weight_map"]?.object, !map.isEmpty else {
            throw .file(path: path, problem: "expected an object 'weight_map' that gives the file of each tensor")
        }
        var places: [String: String] = [:]
        for (name, part) in map {
            guard let part = part.string, ModelFolder.isPlainName(part) else {
                throw .file(path: path, problem: "'weight_map' does not name a file in the same folder for '\(name)'")
            }
            places[name] = part
        }
        return places
    }
}
