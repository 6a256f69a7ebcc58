import LeapGGUF
import Testing
import _LeapTestSupport

/// Thousands of broken files. Above all, these tests check that the process survives them.
@Suite("Random damage")
struct FuzzTests {
    /// Reads everything that a file exposes; the sum keeps the reads from being optimised away.
    private func visit(_ file: GGUFFile) -> Int {
        var sum = file.fileSize
        for key in file.metadata.keys {
            if let value = file.metadata.value(key) { sum &+= visit(value) }
        }
        for tensor in file.tensors {
            for byte in tensor.bytes { sum &+= Int(byte) }
        }
        return sum
    }

    private func visit(_ value: GGUFValue) -> Int {
        switch value {
        case .array(let array): array.reduce(0) { $0 &+ visit($1) }
        case .string(let text): text.utf8.count
        default: 1
        }
    }

    @Test("Every prefix of a valid file is refused")
    func truncation() {
        let bytes = HandmadeGGUF.sample.bytes
        for count in bytes.indices {
            #expect(errorOpening(Array(bytes.prefix(count))) != nil, "a prefix of \(count) bytes was accepted")
        }
    }

    @Test("A file with random bytes changed is valid or refused", arguments: 1...4)
    func mutations(seed: UInt64) {
        var random = SeededRandomNumberGenerator(seed: seed)
        let original = HandmadeGGUF.sample.bytes
        var valid = 0
        var refused = 0
        for _ in 0..<20_000 {
            do {
                let file = try GGUFFile(bytes: mutated(original, &random), name: "f")
                valid += visit(file) == 0 ? 0 : 1
            } catch {
                refused += error.description.isEmpty ? 0 : 1
            }
        }
        #expect(valid + refused == 20_000)
        // Damage to tensor data goes undetected, damage to the structure does not: both must have occurred.
        #expect(valid > 100)
        #expect(refused > 1_000)
    }

    /// One to four changes: a bit flipped, a byte replaced, an extreme 64-bit field, bytes removed or inserted.
    private func mutated(_ original: [UInt8], _ random: inout SeededRandomNumberGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[position] = UInt8.random(in: 0...255, using: &random)
            case 2: overwrite(&bytes, at: position, with: littleEndian(extremes.randomElement(using: &random) ?? 0))
            case 3: bytes.removeSubrange(position..<min(position + 8, bytes.count - 1))
            default: bytes.insert(contentsOf: random.bytes(count: 4), at: position)
            }
        }
        return bytes
    }

    private let extremes: [UInt64] = [
        0, 1, 0x7F, 0xFF, 1 << 16, 1 << 31, 1 << 32, 1 << 61, 1 << 62, 1 << 63, .max - 8, .max - 1, .max,
    ]

    private func overwrite(_ bytes: inout [UInt8], at position: Int, with field: [UInt8]) {
        for (offset, byte) in field.enumerated() where position + offset < bytes.count {
            bytes[position + offset] = byte
        }
    }

    @Test("Random bytes after a valid magic number and version are refused")
    func noise() {
        var random = SeededRandomNumberGenerator(seed: 7)
        for _ in 0..<2_000 {
            let count = Int.random(in: 17...300, using: &random)
            let bytes = Array("GGUF".utf8) + littleEndian(UInt32(3)) + random.bytes(count: count)
            #expect(errorOpening(bytes) != nil)
        }
    }
}
