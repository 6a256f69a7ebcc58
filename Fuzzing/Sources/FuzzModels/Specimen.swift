import Foundation
import LeapBlocks
import LeapGGUF

/// A file of the suite's fixtures: a valid model of an architecture whose sizes no ``Shape`` describes. All but its
/// vocabulary may be edited.
struct Specimen: Sendable {
    let name: String
    let file: GGUFFile
    let architecture: String
    /// The keys that the file has.
    let keys: [String]
    let tensors: [Shape.Tensor]

    /// Larger files would take too much of the fuzzer's time.
    private static let largest = 700_000

    /// The specimens in a fixed order, so that an input always means the same.
    static let all: [Specimen] = {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Fixtures").standardized
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let paths = (files?.compactMap { ($0 as? URL)?.path } ?? []).filter { $0.hasSuffix(".gguf") }
        let specimens = paths.sorted().compactMap { Specimen(path: $0, in: folder.path) }
        precondition(!specimens.isEmpty, "there are no models in \(folder.path)")
        return specimens
    }()

    /// The names of adapters, each with the model that it is for.
    static let adapted: [String: Specimen] = {
        let pairs = all.filter(\.isAdapter).compactMap { adapter in
            let model = adapter.name.split(separator: "/").last?.split(separator: ".").first
            return all.first { $0.name == model.map { "\($0).gguf" } }.map { (adapter.name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    private var isAdapter: Bool { name.hasPrefix("adapters/") }

    /// `nil` for a file that is too large or invalid.
    private init?(path: String, in folder: String) {
        guard let file = try? GGUFFile(path: path), file.fileSize <= Self.largest, !file.tensors.isEmpty,
            let architecture = try? file.metadata.string("general.architecture")
        else { return nil }
        name = String(path.dropFirst(folder.count + 1))
        self.file = file
        self.architecture = architecture
        keys = Array(file.metadata.keys)
        tensors = file.tensors.map {
            Shape.Tensor(name: $0.name, type: $0.type, dimensions: $0.dimensions, bytes: Array($0.bytes))
        }
    }
}
