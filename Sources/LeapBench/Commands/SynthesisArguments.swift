import ArgumentParser

/// The files that `leap-bench synth` can write.
enum SynthesisShape: ExpressibleByArgument {
    case model(ModelShape)
    case projector(any ProjectorDescription)

    init?(argument: String) {
        if let shape = ModelShape.named(argument) {
            self = .model(shape)
        } else if let shape = Projectors.named(argument) {
            self = .projector(shape)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { ModelShape.all.map(\.name) + Projectors.all.map(\.name) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    var name: String {
        switch self {
        case .model(let shape): shape.name
        case .projector(let shape): shape.name
        }
    }

    var defaultValueDescription: String { name }

    /// The useful numbers of blocks.
    var blockCounts: ClosedRange<Int> {
        switch self {
        case .model(let shape): shape.blockCounts
        case .projector(let shape): 1...shape.blockCount
        }
    }
}
