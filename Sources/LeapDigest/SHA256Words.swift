/// The eight words of a hash in the making, and how a block changes them (FIPS 180-4, sections 5.3.3 and 6.2.2).
struct SHA256Words: Sendable {
    typealias Word = UInt32

    var words: SIMD8<Word>

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
    static let initial = SHA256Words(
        words: [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ])

    /// The words as the standard writes them: each with its highest byte first.
    var bytes: [UInt8] {
        words.indices.flatMap { index in withUnsafeBytes(of: words[index].bigEndian) { Array($0) } }
    }

    /// The words after some blocks of 64 bytes.
    func absorbing(_ blocks: UnsafeRawBufferPointer) -> SHA256Words {
        #if arch(x86_64) && !canImport(CryptoKit)
        if Self.hasInstructions { return absorbingByInstructions(blocks) }
        #endif
        return absorbingPortably(blocks)
    }

    /// The same on every CPU.
    func absorbingPortably(_ blocks: UnsafeRawBufferPointer) -> SHA256Words {
        withUnsafeTemporaryAllocation(of: Word.self, capacity: Self.rounds) { schedule in
            var result = self
            for offset in stride(from: 0, to: blocks.count, by: Self.blockCount) {
                Self.fill(schedule, from: UnsafeRawBufferPointer(rebasing: blocks[offset..<offset + Self.blockCount]))
                result.mix(schedule)
            }
            return result
        }
    }

    static let blockCount = 64
    private static let rounds = 64

    /// W + K: the 16 words of a block and 48 that are made of them, with the constants added.
    @inline(__always)
    private static func fill(_ schedule: UnsafeMutableBufferPointer<Word>, from block: UnsafeRawBufferPointer) {
        for t in 0..<16 {
            schedule[t] = Word(bigEndian: block.loadUnaligned(fromByteOffset: 4 * t, as: Word.self))
        }
        for t in 16..<rounds {
            let (near, far) = (schedule[t - 2], schedule[t - 15])
            let σ1 = near.rotated(by: 17) ^ near.rotated(by: 19) ^ (near >> 10)
            let σ0 = far.rotated(by: 7) ^ far.rotated(by: 18) ^ (far >> 3)
            schedule[t] = σ1 &+ schedule[t - 7] &+ σ0 &+ schedule[t - 16]
        }
        for t in 0..<rounds { schedule[t] &+= constants[t] }
    }

    /// The 64 rounds. After each the words change places, so eight in a row name them in eight ways.
    @inline(__always)
    private mutating func mix(_ schedule: UnsafeMutableBufferPointer<Word>) {
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for t in stride(from: 0, to: Self.rounds, by: 8) {
            Self.round(a, b, c, &d, e, f, g, &h, schedule[t])
            Self.round(h, a, b, &c, d, e, f, &g, schedule[t + 1])
            Self.round(g, h, a, &b, c, d, e, &f, schedule[t + 2])
            Self.round(f, g, h, &a, b, c, d, &e, schedule[t + 3])
            Self.round(e, f, g, &h, a, b, c, &d, schedule[t + 4])
            Self.round(d, e, f, &g, h, a, b, &c, schedule[t + 5])
            Self.round(c, d, e, &f, g, h, a, &b, schedule[t + 6])
            Self.round(b, c, d, &e, f, g, h, &a, schedule[t + 7])
        }
        words &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    /// One round: `d` becomes the next one's e, and `h` its a. `sum` is one of the schedule's.
    @inline(__always)
    private static func round(
        _ a: Word, _ b: Word, _ c: Word, _ d: inout Word, _ e: Word, _ f: Word, _ g: Word, _ h: inout Word, _ sum: Word
    ) {
        let Σ1 = e.rotated(by: 6) ^ e.rotated(by: 11) ^ e.rotated(by: 25)
        let Σ0 = a.rotated(by: 2) ^ a.rotated(by: 13) ^ a.rotated(by: 22)
        let choice = g ^ (e & (f ^ g))
        let majority = (a & b) | (c & (a | b))
        let t1 = h &+ Σ1 &+ choice &+ sum
        d = d &+ t1
        h = t1 &+ Σ0 &+ majority
    }

    /// K: the first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
    static let constants: [Word] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    /// ROTR: bits that leave on the right come in on the left.
    @inline(__always)
    fileprivate func rotated(by count: UInt32) -> UInt32 { (self &>> count) | (self &<< (32 &- count)) }
}
