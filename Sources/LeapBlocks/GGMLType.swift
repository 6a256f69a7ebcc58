/// The element type of a tensor. Raw values are ggml's, as stored in GGUF files.
///
/// A tensor type (`Q4_K`) is not a file type (`Q4_K_M`), which is a mix of tensor types.
/// Source: the GGUF specification, heading "File Structure", `enum ggml_type`; block sizes from the ggml headers.
public enum GGMLType: UInt32, Sendable, Hashable, CaseIterable {
    case F32 = 0
    case F16 = 1
    case Q4_0 = 2
    case Q4_1 = 3
    case Q5_0 = 6
    case Q5_1 = 7
    case Q8_0 = 8
    case Q8_1 = 9
    case Q2_K = 10
    case Q3_K = 11
    case Q4_K = 12
    case Q5_K = 13
    case Q6_K = 14
    case Q8_K = 15
    case IQ2_XXS = 16
    case IQ2_XS = 17
    case IQ3_XXS = 18
    case IQ1_S = 19
    case IQ4_NL = 20
    case IQ3_S = 21
    case IQ2_S = 22
    case IQ4_XS = 23
    case I8 = 24
    case I16 = 25
    case I32 = 26
    case I64 = 27
    case F64 = 28
    case IQ1_M = 29
    case BF16 = 30
    case TQ1_0 = 34
    case TQ2_0 = 35
    case MXFP4 = 39
    case NVFP4 = 40
}

// MARK: - Name

// Embedded Swift, which the arm64 level is compiled with where there is no other SDK, cannot print enum case names.
#if !hasFeature(Embedded)
extension GGMLType {
    /// The name as ggml spells it, such as `Q4_K`.
    ///
    /// This is the spelling of the enum's case, which the standard library returns for any enum without a description
    /// of its own: a custom `description` would call this property, which would call the description, endlessly.
    public var name: String { String(describing: self) }

    /// The type with ggml's spelling of its name, in upper or lower case.
    public init?(name: String) {
        let wanted = name.uppercased()
        guard let type = Self.allCases.first(where: { $0.name.uppercased() == wanted }) else { return nil }
        self = type
    }
}
#endif

// MARK: - Layout

extension GGMLType {
    /// Elements per block; 1 for plain number types.
    public var elementsPerBlock: Int { layout.elements }

    /// Bytes per block.
    public var bytesPerBlock: Int { layout.bytes }

    /// Bytes of `elements` contiguous elements, or `nil` if that is not a whole number of blocks or the size overflows
    /// `Int`.
    public func byteCount(elements: Int) -> Int? {
        let (elementsPerBlock, bytesPerBlock) = layout
        guard elements >= 0, elements.isMultiple(of: elementsPerBlock) else { return nil }
        let (bytes, overflow) = (elements / elementsPerBlock).multipliedReportingOverflow(by: bytesPerBlock)
        return overflow ? nil : bytes
    }

    private var layout: (elements: Int, bytes: Int) {
        switch self {
        case .F64, .I64: (1, 8)
        case .F32, .I32: (1, 4)
        case .F16, .BF16, .I16: (1, 2)
        case .I8: (1, 1)
        case .Q4_0, .IQ4_NL: (32, 18)
        case .Q4_1: (32, 20)
        case .Q5_0: (32, 22)
        case .Q5_1: (32, 24)
        case .Q8_0: (32, 34)
        case .Q8_1: (32, 36)
        case .MXFP4: (32, 17)
        case .NVFP4: (64, 36)
        case .Q2_K: (256, 84)
        case .Q3_K: (256, 110)
        case .Q4_K: (256, 144)
        case .Q5_K: (256, 176)
        case .Q6_K: (256, 210)
        case .Q8_K: (256, 292)
        case .IQ1_S: (256, 50)
        case .IQ1_M: (256, 56)
        case .IQ2_XXS: (256, 66)
        case .IQ2_XS: (256, 74)
        case .IQ2_S: (256, 82)
        case .IQ3_XXS: (256, 98)
        case .IQ3_S: (256, 110)
        case .IQ4_XS: (256, 136)
        case .TQ1_0: (256, 54)
        case .TQ2_0: (256, 66)
        }
    }
}

// MARK: - Arithmetic

extension GGMLType {
    /// The type that an activation row is quantised to before its dot product with rows of this type, or `nil` if this
    /// type's arithmetic is not implemented.
    ///
    /// Activations for plain float weights are not quantised. Types with a minimum per block (`Q4_1`, `Q5_1`) need
    /// `Q8_1`, whose block stores the sum of its quants; 256-element types need `Q8_K`.
    public var activationType: GGMLType? {
        switch self {
        case .F32, .F16, .BF16: .F32
        case .Q4_0, .Q5_0, .Q8_0, .IQ4_NL, .MXFP4: .Q8_0
        case .Q4_1, .Q5_1: .Q8_1
        case .Q2_K, .Q3_K, .Q4_K, .Q5_K, .Q6_K, .IQ4_XS: .Q8_K
        default: nil
        }
    }

    /// Whether a weight matrix of this type can be used by a forward pass.
    public var isSupportedWeight: Bool { activationType != nil }
}
