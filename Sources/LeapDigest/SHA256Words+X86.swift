#if arch(x86_64) && !canImport(CryptoKit)
internal import _Builtin_intrinsics.intel
internal import _Builtin_intrinsics.intel.cpuid

/// The hash by the instructions that newer CPUs have for it: four rounds, or four words of the schedule, at a time.
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, SHA256RNDS2, SHA256MSG1, SHA256MSG2.
extension SHA256Words {
    typealias Four = SIMD4<Word>

    /// Whether this CPU has the instructions (CPUID, leaf 7, bit 29 of EBX).
    static let hasInstructions: Bool = {
        var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && ebx & (1 << 29) != 0
    }()

    /// The same as ``absorbingPortably(_:)``, where there are the instructions.
    func absorbingByInstructions(_ blocks: UnsafeRawBufferPointer) -> SHA256Words {
        var (high, low) = interleaved
        Self.constants.withUnsafeBytes { constants in
            for offset in stride(from: 0, to: blocks.count, by: Self.blockCount) {
                var window = Window(UnsafeRawBufferPointer(rebasing: blocks[offset..<offset + Self.blockCount]))
                var (newHigh, newLow) = (high, low)
                for group in 0..<16 {
                    let constant = constants.loadUnaligned(fromByteOffset: 16 * group, as: Four.self)
                    Self.mix(&newHigh, &newLow, window.first &+ constant)
                    // The last four groups are computed from the preceding 48 words, and no groups follow them.
                    if group < 12 { window.advance() } else { window.rotate() }
                }
                (high, low) = (high &+ newHigh, low &+ newLow)
            }
        }
        return SHA256Words(interleaved: high, low)
    }

    /// Four rounds, with the sums of the schedule and the constants.
    @inline(__always)
    private static func mix(_ high: inout Four, _ low: inout Four, _ sums: Four) {
        low = Four(_mm_sha256rnds2_epu32(low.register, high.register, sums.register))
        high = Four(_mm_sha256rnds2_epu32(high.register, low.register, SIMD4(sums[2], sums[3], 0, 0).register))
    }

    /// The words as the instructions take them: f, e, b, a and h, g, d, c.
    private var interleaved: (high: Four, low: Four) {
        (Four(words[5], words[4], words[1], words[0]), Four(words[7], words[6], words[3], words[2]))
    }

    private init(interleaved high: Four, _ low: Four) {
        words = SIMD8(high[3], high[2], low[3], low[2], high[1], high[0], low[1], low[0])
    }

    /// The 16 words of the schedule from the next one on.
    private struct Window {
        private(set) var first: Four
        private var second: Four
        private var third: Four
        private var fourth: Four

        @inline(__always)
        init(_ block: UnsafeRawBufferPointer) {
            (first, second) = (Self.four(block, 0), Self.four(block, 4))
            (third, fourth) = (Self.four(block, 8), Self.four(block, 12))
        }

        @inline(__always)
        mutating func advance() {
            let begun = Four(_mm_sha256msg1_epu32(first.register, second.register))
            let sevenBefore = Four(third[1], third[2], third[3], fourth[0])
            first = Four(_mm_sha256msg2_epu32((begun &+ sevenBefore).register, fourth.register))
            rotate()
        }

        @inline(__always)
        mutating func rotate() { (first, second, third, fourth) = (second, third, fourth, first) }

        @inline(__always)
        private static func four(_ block: UnsafeRawBufferPointer, _ index: Int) -> Four {
            func word(_ index: Int) -> Word {
                Word(bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: Word.self))
            }
            return Four(word(index), word(index + 1), word(index + 2), word(index + 3))
        }
    }
}

extension SIMD4<UInt32> {
    @inline(__always)
    fileprivate var register: SIMD2<Int64> { unsafeBitCast(self, to: SIMD2<Int64>.self) }

    @inline(__always)
    fileprivate init(_ register: SIMD2<Int64>) { self = unsafeBitCast(register, to: Self.self) }
}
#endif
