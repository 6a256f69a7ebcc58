import LeapGGUF

/// Why a Hugging Face folder cannot be converted to a GGUF file.
package enum ConversionError: Error, Hashable, CustomStringConvertible {
    /// A required file is missing.
    case missingFile(folder: String, expected: String)
    /// A file that is too large for its purpose, not a JSON document, or not of the expected form.
    case file(path: String, problem: String)
    /// The text file that Git LFS leaves in place of a large file.
    case gitLFSPointer(path: String)
    /// A malformed safetensors file.
    case safetensors(path: String, problem: String)
    /// An unknown model class.
    case unsupportedModel(path: String, found: String, supported: [String])
    /// A feature that would change what the model computes.
    case unsupportedFeature(path: String, key: String, value: String, reason: String)
    /// A configuration that lacks a key, or has an invalid value.
    case configuration(path: String, key: String, problem: String)
    /// A tensor whose name or shape does not fit the architecture.
    case tensor(name: String, problem: String)
    /// A tensor that the architecture needs.
    case missingTensor(name: String)
    /// A vocabulary that GGUF cannot express, or that the engine does not support.
    case vocabulary(path: String, problem: String)
    /// A weight that is infinite or NaN, or beyond the range of half precision.
    case weight(tensor: String, element: Int, value: Float, type: String)

    /// The error for a token id that no vocabulary has.
    static func tokenID(_ id: Int?, of text: String, path: String) -> ConversionError {
        let ids = VocabularyTable.ids
        return .vocabulary(
            path: path,
            problem: "the id of \(quoted(text)) is \(id.map { "\($0)" } ?? "not a whole number"): "
                + "expected a number from \(ids.lowerBound) to \(ids.upperBound - 1)")
    }

    /// The first bytes of Git LFS's pointers. Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
    static let pointerBeginning = Array("version https://git-lfs".utf8)

    /// What failed, where, and what to do.
    package var description: String { singleLine(text) }

    private var text: String {
        switch self {
        case .missingFile(let folder, let expected):
            "\(folder): \(expected) is missing from the model folder; download the complete folder"
        case .file(let path, let problem): "\(path): \(problem)"
        case .gitLFSPointer(let path):
            "\(path) is a Git LFS pointer, not the file itself: fetch it with 'git lfs pull' in the folder, or download it"
        case .safetensors(let path, let problem):
            "\(path) is not a valid safetensors file: \(problem); download it again and compare its checksum"
        case .unsupportedModel(let path, let found, let supported):
            "\(path): models of class \(found) cannot be converted; supported classes are \(supported.joined(separator: ", "))"
        case .unsupportedFeature(let path, let key, let value, let reason): "\(path): '\(key)' is \(value): \(reason)"
        case .configuration(let path, let key, let problem): "\(path): '\(key)' \(problem)"
        case .tensor(let name, let problem): "tensor '\(name)' \(problem)"
        case .missingTensor(let name):
            "the folder has no tensor '\(name)', which its architecture requires: a file is missing, or the model is incomplete"
        case .vocabulary(let path, let problem): "\(path): \(problem)"
        case .weight(let tensor, let element, let value, let type):
            value.isFinite
                ? "\(tensor): \(value) at element \(element) is outside the range of \(type); choose \(type == "BF16" ? "f32" : "bf16 or f32")"
                : "\(tensor): expected finite weights, found \(value) at element \(element): the file is damaged"
        }
    }
}
