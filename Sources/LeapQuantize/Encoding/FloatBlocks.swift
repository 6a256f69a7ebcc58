import LeapBlocks

// Plain numbers, as blocks of any count.

extension GGMLType {
    /// Writes numbers in a plain float type without block quantisation; `false` for any other type.
    func storeFloats(_ values: UnsafePointer<Float>, count: Int, to destination: UnsafeMutableRawPointer) -> Bool {
        switch self {
        case .F32:
            for i in 0..<count {
                destination.storeBytes(of: values[i].bitPattern.littleEndian, toByteOffset: 4 * i, as: UInt32.self)
            }
        case .F16:
            for i in 0..<count {
                destination.storeBytes(of: values[i].halfBits.littleEndian, toByteOffset: 2 * i, as: UInt16.self)
            }
        case .BF16:
            for i in 0..<count {
                destination.storeBytes(of: values[i].brainFloatBits.littleEndian, toByteOffset: 2 * i, as: UInt16.self)
            }
        default: return false
        }
        return true
    }

    /// Whether this is a plain float type that weights can have.
    var isFloat: Bool { self == .F32 || self == .F16 || self == .BF16 }
}
