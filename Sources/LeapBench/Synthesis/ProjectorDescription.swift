import LeapGGUF
import LeapQuantize

/// What a file beside a language model is made of, with random weights: a projector, or a part of a voice.
protocol ProjectorDescription: Sendable {
    /// The name on the command line.
    var name: String { get }
    /// `general.name`
    var title: String { get }
    /// What the file is.
    var kind: SynthesisKind { get }
    /// Layers of the encoder.
    var blockCount: Int { get set }
    /// All tensors in the order of the file.
    var tensors: [TensorShape] { get }

    /// Says what the file is, with all hyper-parameters.
    func setMetadata(of writer: inout GGUFWriter)
}

/// What a file says that it is.
struct SynthesisKind: Sendable {
    /// `general.architecture`
    let architecture: String
    /// `general.type`, if it has one.
    let type: String?

    /// A projector's.
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

/// The projectors and voices that can be asked for.
enum Projectors {
    static let all: [any ProjectorDescription] =
        ProjectorShape.all + AudioProjectorShape.all + VocoderShape.all + AudioTokenizerShape.all

    /// The one with a name, upper or lower case.
    static func named(_ name: String) -> (any ProjectorDescription)? { all.first { $0.name == name.lowercased() } }
}
