import LeapBlocks

/// How a safetensors file stores numbers: its `dtype`. All types of the format are here, because a file may have tensors that no
/// conversion reads. Source: https://github.com/huggingface/safetensors, `Dtype`.
package enum ElementType: String, CaseIterable, Sendable {
    case F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, BOOL
    case F8_E4M3, F8_E5M2, F8_E8M0, F8_E4M3FNUZ, F8_E5M2FNUZ, F6_E2M3, F6_E3M2, F4, C64

    /// Bits of an element.
    var bits: Int {
        switch self {
        case .F64, .I64, .U64, .C64: 64
        case .F32, .I32, .U32: 32
        case .F16, .BF16, .I16, .U16: 16
        case .I8, .U8, .BOOL, .F8_E4M3, .F8_E5M2, .F8_E8M0, .F8_E4M3FNUZ, .F8_E5M2FNUZ: 8
        case .F6_E2M3, .F6_E3M2: 6
        case .F4: 4
        }
    }

    /// Bytes of an element of a type that can be read.
    var size: Int { bits / 8 }

    /// Whether weights of the type can be read.
    var isReadable: Bool {
        switch self {
        case .F64, .F32, .F16, .BF16, .I64: true
        default: false
        }
    }

    /// The tensor type with the same byte layout; `nil` if GGUF files have no weights of this type.
    var tensorType: GGMLType? {
        switch self {
        case .F32: .F32
        case .F16: .F16
        case .BF16: .BF16
        default: nil
        }
    }

    /// Converts elements to single precision; does nothing for types that cannot be read.
    func read(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, count: Int) {
        switch self {
        case .F32:
            for i in 0..<count { destination[i] = BlockF32(source + 4 * i).value(at: 0) }
        case .F16:
            for i in 0..<count { destination[i] = BlockF16(source + 2 * i).value(at: 0) }
        case .BF16:
            for i in 0..<count { destination[i] = BlockBF16(source + 2 * i).value(at: 0) }
        case .F64:
            for i in 0..<count {
                let bits = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: 8 * i, as: UInt64.self))
                destination[i] = Float(Double(bitPattern: bits))
            }
        case .I64:
            for i in 0..<count {
                let value = Int64(littleEndian: source.loadUnaligned(fromByteOffset: 8 * i, as: Int64.self))
                destination[i] = Float(value)
            }
        default: break
        }
    }
}
