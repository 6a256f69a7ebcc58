/// Finds infinite numbers and NaN among stored weights.
enum NonFiniteNumbers {
    /// The first infinite number or NaN, and the index of its element; `nil` if all numbers are finite.
    ///
    /// - Parameter type: `F32`, `F16` or `BF16`; there is none among the numbers of other types.
    static func first(in bytes: UnsafeRawBufferPointer, of type: ElementType) -> (element: Int, value: Float)? {
        let element: Int? =
            switch type {
            case .F32: firstElement(in: bytes, exponent: 0x7F80_0000 as UInt32)
            case .F16: firstElement(in: bytes, exponent: 0x7C00 as UInt16)
            case .BF16: firstElement(in: bytes, exponent: 0x7F80 as UInt16)
            default: nil
            }
        guard let element, let base = bytes.baseAddress else { return nil }
        var value: Float = 0
        type.read(base + element * type.size, &value, count: 1)
        return (element, value)
    }

    /// - Parameter exponent: The bits of the exponent, which are all ones in these numbers only.
    private static func firstElement<Bits: FixedWidthInteger & UnsignedInteger>(
        in bytes: UnsafeRawBufferPointer, exponent: Bits
    ) -> Int? {
        let sign: Bits = 1 << (Bits.bitWidth - 1)
        let count = bytes.count / MemoryLayout<Bits>.size
        func bits(_ element: Int) -> Bits {
            let offset = element * MemoryLayout<Bits>.size
            return Bits(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Bits.self))
        }
        // Without its sign, a number plus this reaches the sign bit where the exponent is all ones. The loop has no branches,
        // so that it becomes vector code.
        let rest = sign - exponent
        var reached: Bits = 0
        for element in 0..<count { reached |= (bits(element) & ~sign) &+ rest }
        guard reached & sign != 0 else { return nil }
        return (0..<count).first { bits($0) & exponent == exponent }
    }
}
