package import LeapBlocks

/// Encodes numbers as blocks of one type, with errors as small as a search finds them.
protocol BlockEncoder: SendableMetatype {
    /// Encodes consecutive blocks independently of each other.
    ///
    /// - Parameters:
    ///   - values: As many as the blocks have elements; all finite and, except for `MXFP4`, at most
    ///     ``RowEncoder/largest`` in magnitude.
    ///   - weights: One per value; the weight of its squared error.
    ///   - bytes: The destination of the blocks; no alignment is assumed.
    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer)

    /// The same with equally weighted errors, in a fraction of the time and with slightly larger errors.
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer)

    /// Whether ``encodeQuickly(_:blocks:to:)`` differs from the search.
    static var isQuick: Bool { get }
}

extension BlockEncoder {
    static func encodeQuickly(_ values: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer) {}
    static var isQuick: Bool { false }
}

/// Quantises rows of numbers to one type.
///
/// Minimises Σ w·(x − x̂)² of every block. Without weights this is the squared error. With the mean squares of a
/// layer's inputs as weights it is the error of the layer's outputs, neglecting correlations.
package struct RowEncoder: Sendable {
    package let type: GGMLType
    /// `nil` for plain numbers.
    private let encoder: (any BlockEncoder.Type)?
    /// Whether scales are searched even if there is a quicker way.
    private let searches: Bool

    /// No format with half-precision scales has a larger range; squares of larger numbers could overflow.
    static let largest: Float = 3e8

    /// - Parameters:
    ///   - type: The type to write.
    ///   - effort: How much time to spend on scales.
    /// - Returns: `nil` for types that cannot be written: those that cannot be read, and those of activations.
    package init?(_ type: GGMLType, effort: QuantizationEffort = .thorough) {
        let encoder = type.encoder
        searches = effort == .thorough || encoder?.isQuick != true
        guard encoder != nil || type.isFloat else { return nil }
        self.type = type
        self.encoder = encoder
    }

    /// The types that numbers can be quantised to.
    package static var types: [GGMLType] { GGMLType.allCases.filter { $0.encoder != nil || $0.isFloat } }

    /// Quantises consecutive whole blocks.
    ///
    /// - Parameters:
    ///   - values: Finite numbers, as many as `blocks` have elements. Those beyond the type's range are clamped in
    ///     place.
    ///   - weights: One per value, none negative; the weights of squared errors.
    ///   - destination: `blocks` × `bytesPerBlock` bytes.
    package func encode(
        _ values: UnsafeMutablePointer<Float>, weights: UnsafePointer<Float>, blocks: Int,
        to destination: UnsafeMutableRawPointer
    ) {
        guard let encoder else {
            _ = type.storeFloats(values, count: blocks, to: destination)
            return
        }
        if type != .MXFP4 {
            for i in 0..<blocks * type.elementsPerBlock { values[i] = max(-Self.largest, min(Self.largest, values[i])) }
        }
        if searches {
            encoder.encode(values, weights, blocks: blocks, to: destination)
        } else {
            encoder.encodeQuickly(values, blocks: blocks, to: destination)
        }
    }
}

/// How much time to spend on scales.
package enum QuantizationEffort: Sendable {
    /// Takes the scale of the whole range, then the least-squares scale for its codes: on the whole better than
    /// llama-quantize without an importance matrix, though not in every block. Ignores error weights.
    case quick
    /// A search over many scales.
    case thorough
}

extension GGMLType {
    fileprivate var encoder: (any BlockEncoder.Type)? {
        switch self {
        case .Q4_0: EncoderQ4_0.self
        case .Q4_1: EncoderQ4_1.self
        case .Q5_0: EncoderQ5_0.self
        case .Q5_1: EncoderQ5_1.self
        case .Q8_0: EncoderQ8_0.self
        case .Q2_K: EncoderQ2_K.self
        case .Q3_K: EncoderQ3_K.self
        case .Q4_K: EncoderQ4_K.self
        case .Q5_K: EncoderQ5_K.self
        case .Q6_K: EncoderQ6_K.self
        case .IQ4_NL: EncoderIQ4_NL.self
        case .IQ4_XS: EncoderIQ4_XS.self
        case .MXFP4: EncoderMXFP4.self
        default: nil
        }
    }
}
