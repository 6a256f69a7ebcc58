package import ArgumentParser
package import LeapBlocks
package import LeapQuantize

extension FileType: ExpressibleByArgument {
    /// A file type by its name, or the medium one of a family: `Q4_K` is `Q4_K_M`.
    package init?(argument: String) {
        guard let type = Self(name: argument) ?? Self(name: argument + "_M") else { return nil }
        self = type
    }

    package static var allValueStrings: [String] { allCases.map(\.name) }

    package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    package var defaultValueDescription: String { name }
}

/// A tensor type that can be written, by its name.
package struct TensorTypeArgument: ExpressibleByArgument, Sendable {
    package let type: GGMLType

    package init?(argument: String) {
        guard let type = GGMLType(name: argument), RowEncoder.types.contains(type) else { return nil }
        self.type = type
    }

    package static var allValueStrings: [String] { RowEncoder.types.map(\.name) }

    package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    package var defaultValueDescription: String { type.name }
}
