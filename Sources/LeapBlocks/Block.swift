/// A view of one block's bytes that decodes them, one element at a time.
///
/// A block type is its format's specification in code: the byte offsets that every kernel uses, and the plain scalar
/// decoding that every kernel is tested against. It is not meant to be fast.
public protocol Block {
    /// The tensor type that consists of these blocks.
    static var type: GGMLType { get }
    /// Elements in a block.
    static var elementCount: Int { get }
    /// Bytes in a block.
    static var byteCount: Int { get }

    /// Views the block that starts at `bytes`; no alignment is assumed.
    init(_ bytes: UnsafeRawPointer)

    /// The value of element `index` of `0 ..< elementCount`, rounded once to a float.
    func value(at index: Int) -> Float
}

extension Block {
    /// The values of `count` consecutive blocks.
    public static func values(at bytes: UnsafeRawPointer, blocks count: Int) -> [Float] {
        (0..<count).flatMap { block in
            let view = Self(bytes + block * byteCount)
            return (0..<elementCount).map(view.value(at:))
        }
    }
}

// Embedded Swift, which the arm64 level is compiled with where there is no other SDK, has no metatypes.
#if !hasFeature(Embedded)
extension GGMLType {
    /// The block type that decodes this tensor type, or `nil` if its arithmetic is not implemented.
    public var block: (any Block.Type)? {
        switch self {
        case .F32: BlockF32.self
        case .F16: BlockF16.self
        case .BF16: BlockBF16.self
        case .Q4_0: BlockQ4_0.self
        case .Q4_1: BlockQ4_1.self
        case .Q5_0: BlockQ5_0.self
        case .Q5_1: BlockQ5_1.self
        case .Q8_0: BlockQ8_0.self
        case .Q8_1: BlockQ8_1.self
        case .Q2_K: BlockQ2_K.self
        case .Q3_K: BlockQ3_K.self
        case .Q4_K: BlockQ4_K.self
        case .Q5_K: BlockQ5_K.self
        case .Q6_K: BlockQ6_K.self
        case .Q8_K: BlockQ8_K.self
        case .IQ4_NL: BlockIQ4_NL.self
        case .IQ4_XS: BlockIQ4_XS.self
        case .MXFP4: BlockMXFP4.self
        default: nil
        }
    }
}
#endif

// MARK: - Reading fields

extension UnsafeRawPointer {
    /// The byte at `offset`.
    func byte(_ offset: Int) -> Int { Int(load(fromByteOffset: offset, as: UInt8.self)) }

    /// The signed byte at `offset`.
    func signedByte(_ offset: Int) -> Int { Int(load(fromByteOffset: offset, as: Int8.self)) }

    /// The half-precision number at `offset`.
    func half(_ offset: Int) -> Float {
        Float(halfBits: UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    /// The four bits of element `index`, where byte `i` from `offset` on holds element `i` in the low nibble and
    /// element `i + 16` in the high nibble.
    func nibble(_ offset: Int, _ index: Int) -> Int {
        index < 16 ? byte(offset + index) & 15 : byte(offset + index - 16) >> 4
    }

    /// Bit `index` of the bytes from `offset`, least significant first.
    func bit(_ offset: Int, _ index: Int) -> Int { byte(offset + index / 8) >> (index % 8) & 1 }
}
