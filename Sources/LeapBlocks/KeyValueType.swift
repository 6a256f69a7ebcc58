/// How cached keys, or cached values, are stored. Raw values are ggml's, as in ``GGMLType``.
public enum KeyValueType: UInt32, Sendable, Hashable, CaseIterable {
    /// Half precision: 11 bits, 2 bytes.
    case f16 = 1
    /// Single precision, unconverted: 24 bits, 4 bytes.
    case f32 = 0
    /// The upper half of a float: 8 bits, the range of a float, 2 bytes.
    case bf16 = 30
    /// Signed bytes; 32 neighbouring elements of a head share a half-precision scale: 34 bytes per 32 elements.
    case q8_0 = 8

    /// The type with a raw value, which is how it is passed to kernels: C functions have no Swift enums. Inlined into
    /// kernels; unknown raw values give `f16`.
    @inlinable @inline(__always)
    public init(kernelArgument: UInt32) {
        switch kernelArgument {
        case 0: self = .f32
        case 8: self = .q8_0
        case 30: self = .bf16
        default: self = .f16
        }
    }

    /// Neighbouring elements of a head that are stored together; a head has a whole number of them.
    public var elementsPerBlock: Int { self == .q8_0 ? BlockQ8_0.elementCount : 1 }

    /// Bytes of some elements.
    ///
    /// - Parameter elements: A multiple of ``elementsPerBlock``.
    public func byteCount(elements: Int) -> Int {
        switch self {
        case .f16, .bf16: 2 * elements
        case .f32: 4 * elements
        case .q8_0: elements / BlockQ8_0.elementCount * BlockQ8_0.byteCount
        }
    }
}

// Embedded Swift, which the arm64 level is compiled with where there is no other SDK, cannot print enum case names.
#if !hasFeature(Embedded)
extension KeyValueType {
    /// The type with a name such as `q8_0`, in upper or lower case.
    public init?(name: String) {
        let wanted = name.lowercased()
        guard let type = Self.allCases.first(where: { String(describing: $0) == wanted }) else { return nil }
        self = type
    }
}
#endif

/// How keys and how values are stored.
public struct KeyValueTypes: Sendable, Hashable {
    /// The type of keys.
    public var keys: KeyValueType
    /// The type of values.
    public var values: KeyValueType

    /// Groups two types.
    public init(keys: KeyValueType, values: KeyValueType) {
        self.keys = keys
        self.values = values
    }

    /// One type for both.
    public init(_ type: KeyValueType) {
        self.init(keys: type, values: type)
    }
}
