import Testing

@testable import LeapDigest

struct SHA256Tests {
    /// The examples of FIPS 180-2, appendix B, and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `Hashes equal the examples of the standard`(message: String, hash: String) {
        #expect(SHA256.hash(data: message.utf8).hexadecimal == hash)
    }

    /// The expectation is Python's hashlib's.
    @Test func `Messages of every length up to several blocks have the right hash`() {
        var all = SHA256()
        for count in 0..<300 { all.update(data: SHA256.hash(data: message(count))) }
        #expect(all.finalize().hexadecimal == "d5238871a46ac4a1a75ac3fb19d645b0b3b9e5f35f5f720e2b240d605c6b694e")
    }

    @Test(arguments: [1, 3, 63, 64, 65, 127, 128, 129])
    func `Hashing in pieces gives the hash of the whole`(size: Int) {
        let message = message(1000)
        var hash = SHA256()
        for start in stride(from: 0, to: message.count, by: size) {
            hash.update(data: message[start..<min(start + size, message.count)])
            hash.update(data: [])
        }
        #expect(hash.finalize() == SHA256.hash(data: message))
    }

    @Test func `A copy continues independently, and finalising does not change the state`() {
        var hash = SHA256()
        hash.update(data: message(100))
        var copy = hash
        #expect(hash.finalize() == copy.finalize())
        copy.update(data: [1])
        #expect(hash.finalize() == SHA256.hash(data: message(100)))
        #expect(copy.finalize() == SHA256.hash(data: message(100) + [1]))
    }

    #if arch(x86_64) && !canImport(CryptoKit)
    @Test(.enabled(if: SHA256Words.hasInstructions), arguments: [0, 1, 2, 17])
    func `The CPU's SHA instructions agree with the portable implementation`(blocks: Int) {
        message(64 * blocks).withUnsafeBytes { bytes in
            let words = SHA256Words.initial
            #expect(words.absorbingByInstructions(bytes).bytes == words.absorbingPortably(bytes).bytes)
        }
    }
    #endif

    @Test func `The portable implementation reproduces the standard's hash`() {
        // "abc", the end marker, zeros, and the length in bits.
        let block = Array("abc".utf8) + [0x80] + Array(repeating: 0, count: 59) + [24]
        let bytes = block.withUnsafeBytes { SHA256Words.initial.absorbingPortably($0).bytes }
        #expect(bytes.hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    private func message(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) } }
}
