import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import LeapQuantize

/// A report's description of a model file.
struct ModelDescription: Hashable {
    /// The path as given.
    let path: String
    /// Architecture, size and file type, such as `lfm2 1.2B Q4_K - Medium`.
    let type: String
    /// Bytes of all tensors.
    let byteCount: Int
    /// Elements of all tensors.
    let parameterCount: Int
    /// How keys and values are stored.
    let keyValueTypes: KeyValueTypes
    /// Whether the file is mapped instead of read into memory.
    let isMapped: Bool
    /// Seconds from the path to a model that is ready to compute.
    let loadSeconds: Double

    init(
        path: String, type: String, byteCount: Int, parameterCount: Int,
        keyValueTypes: KeyValueTypes = KeyValueTypes(.f16), isMapped: Bool = true, loadSeconds: Double = 0
    ) {
        self.path = path
        self.type = type
        self.byteCount = byteCount
        self.parameterCount = parameterCount
        self.keyValueTypes = keyValueTypes
        self.isMapped = isMapped
        self.loadSeconds = loadSeconds
    }

    init(_ model: LanguageModel, isMapped: Bool, loadSeconds: Double) {
        let file = model.file
        let parameters = file.tensors.reduce(0) { $0 + $1.elementCount }
        let size = (try? file.metadata.stringIfPresent("general.size_label")) ?? Self.sizeLabel(parameters)
        self.init(
            path: file.path, type: "\(model.configuration.architecture) \(size) \(Self.fileType(of: file))",
            byteCount: file.tensors.reduce(0) { $0 + $1.byteCount }, parameterCount: parameters,
            keyValueTypes: model.keyValueTypes, isMapped: isMapped, loadSeconds: loadSeconds)
    }

    /// `135M`, `1.2B`.
    static func sizeLabel(_ parameters: Int) -> String {
        let millions = Double(parameters) / 1e6
        return millions < 1000 ? String(format: "%.0fM", millions) : String(format: "%.1fB", millions / 1000)
    }

    /// The file type in the metadata, or else the type of most bytes.
    private static func fileType(of file: GGUFFile) -> String {
        if let number = try? file.metadata.integerIfPresent("general.file_type"),
            let type = FileType(rawValue: number)
        {
            return type.reportName
        }
        var bytes: [GGMLType: Int] = [:]
        for tensor in file.tensors { bytes[tensor.type, default: 0] += tensor.byteCount }
        return bytes.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key.name ?? "empty"
    }
}
