import LeapGGUF
import LeapQuantize

/// The structure of a file that accompanies a language model, with random weights: a projector, or a part of a voice.
protocol ProjectorDescription: Sendable {
    /// The name on the command line.
    var name: String { get }
    /// `general.name`
    var title: String { get }
    /// The kind of file.
    var kind: SynthesisKind { get }
    /// Layers of the encoder.
    var blockCount: Int { get set }
    /// All tensors in the order of the file.
    var tensors: [TensorShape] { get }

    /// Writes the file's kind and all hyper-parameters.
    func setMetadata(of writer: inout GGUFWriter)
}

/// The kind of file that the metadata declare.
struct SynthesisKind: Sendable {
    /// `general.architecture`
    let architecture: String
    /// `general.type`, if it has one.
    let type: String?

    /// The kind of a projector.
    static let projector = SynthesisKind(architecture: "clip", type: "mmproj")
}

extension ProjectorDescription {
    var kind: SynthesisKind { .projector }

    /// A matrix without bias.
    func matrix(_ name: String, _ columns: Int, _ rows: Int) -> TensorShape {
        TensorShape(name: name, role: .matrix, dimensions: [columns, rows])
    }

    /// A matrix with its bias.
    func linear(_ name: String, _ columns: Int, _ rows: Int) -> [TensorShape] {
        [
            TensorShape(name: "\(name).weight", role: .matrix, dimensions: [columns, rows]),
            vector("\(name).bias", rows),
        ]
    }

    /// The gains and biases of a norm.
    func norm(_ name: String, _ width: Int) -> [TensorShape] {
        [vector("\(name).weight", width), vector("\(name).bias", width)]
    }

    /// A vector in single precision.
    func vector(_ name: String, _ count: Int) -> TensorShape {
        TensorShape(name: name, role: .norm, dimensions: [count])
    }
}

/// The available projectors and voices.
enum Projectors {
    static let all: [any ProjectorDescription] =
        ProjectorShape.all + AudioProjectorShape.all + VocoderShape.all + AudioTokenizerShape.all

    /// The one with a name, in upper or lower case.
    static func named(_ name: String) -> (any ProjectorDescription)? { all.first { $0.name == name.lowercased() } }
}
