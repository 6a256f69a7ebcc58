/// Why a folder of Hugging Face's cannot become a GGUF file.
package enum ConversionError: Error, Hashable, CustomStringConvertible {
    /// A file that must be there is not.
    case missingFile(folder: String, expected: String)
    /// A file that is too large for what it should hold, or no JSON document, or not of the form it should have.
    case file(path: String, problem: String)
    /// The text file that Git LFS leaves in place of a large file.
    case gitLFSPointer(path: String)
    /// A safetensors file that is broken.
    case safetensors(path: String, problem: String)
    /// A model class that is not known.
    case unsupportedModel(path: String, found: String, supported: [String])
    /// A feature that would change what the model computes.
    case unsupportedFeature(path: String, key: String, value: String, reason: String)
    /// A configuration without a key, or with a value that makes no sense.
    case configuration(path: String, key: String, problem: String)
    /// A tensor whose name or shape does not belong to the architecture.
    case tensor(name: String, problem: String)
    /// A tensor that the architecture needs.
    case missingTensor(name: String)
    /// A vocabulary that cannot be said in a GGUF file, or not understood by the engine.
    case vocabulary(path: String, problem: String)
    /// A weight that is infinite or no number, or one that half precision cannot say.
    case weight(tensor: String, element: Int, value: Float, type: String)

    /// What Git LFS's pointers begin with. Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
    static let pointerBeginning = Array("version https://git-lfs".utf8)

    /// What failed, where, and what to do.
    package var description: String {
        switch self {
        case .missingFile(let folder, let expected):
            "\(folder): expected \(expected) in the folder of a model; download the folder as a whole"
        case .file(let path, let problem): "\(path): \(problem)"
        case .gitLFSPointer(let path):
            "\(path) is a Git LFS pointer, not the file itself: fetch it with 'git lfs pull' in the folder, or download it"
        case .safetensors(let path, let problem):
            "\(path) is no sound safetensors file: \(problem); download it again and compare its checksum"
        case .unsupportedModel(let path, let found, let supported):
            "\(path): models of class \(found) cannot be converted; supported are \(supported.joined(separator: ", "))"
        case .unsupportedFeature(let path, let key, let value, let reason): "\(path): '\(key)' is \(value): \(reason)"
        case .configuration(let path, let key, let problem): "\(path): '\(key)' \(problem)"
        case .tensor(let name, let problem): "tensor '\(name)' \(problem)"
        case .missingTensor(let name):
            "the folder has no tensor '\(name)', which its architecture needs: a file of it is missing, or it is no whole model"
        case .vocabulary(let path, let problem): "\(path): \(problem)"
        case .weight(let tensor, let element, let value, let type):
            value.isFinite
                ? "\(tensor): \(value) at element \(element) is beyond what \(type) can say; choose \(type == "BF16" ? "f32" : "bf16 or f32")"
                : "\(tensor): expected finite weights, found \(value) at element \(element): the file is broken"
        }
    }
}
