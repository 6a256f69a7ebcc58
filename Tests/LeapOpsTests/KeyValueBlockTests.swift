import Foundation
import LeapBlocks
import Testing

@testable import LeapOps

@Suite struct KeyValueBlockTests {
    private static let shape = KeyValueShape(heads: 3, headDimension: 64, types: KeyValueTypes(.f16))

    @Test("a block is aligned for vectors, and a copy has the same bytes")
    func copies() throws {
        let block = try #require(KeyValueBlock(Self.shape))
        let bytes = UnsafeMutableRawBufferPointer(start: block.base, count: Self.shape.blockBytes)
        #expect(UInt(bitPattern: block.base) % 64 == 0)
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        let copy = try #require(KeyValueBlock(copying: block, Self.shape))
        #expect(copy.base != block.base)
        #expect(memcmp(copy.base, block.base, Self.shape.blockBytes) == 0)
    }

    @Test("blocks with rewritten positions are not shared with a copy")
    func copiesAfterRollBack() {
        var cache = KeyValueCache(heads: 3, headDimension: 64, types: KeyValueTypes(.f16))
        let count = 3 * KeyValueBlock.positions
        let isFilled = cache.reserve(0..<count)
        let copy = cache
        let isChanged = cache.reserve(KeyValueBlock.positions + 1..<count)
        #expect(isFilled && isChanged)
        func places(_ cache: KeyValueCache) -> [UnsafeMutableRawPointer] { (0..<3).map { cache.view.blocks[$0] } }
        #expect(zip(places(cache), places(copy)).map { $0 == $1 } == [true, false, false])
    }

    #if os(Linux)
    @Test("freed blocks between live ones return their memory to the system")
    func returnsMemory() throws {
        let count = 1000
        var blocks = [KeyValueBlock?](repeating: nil, count: count)
        // Small allocations between the blocks, as in a running program.
        var others: [[UInt8]] = []
        for index in 0..<count {
            let block = try #require(KeyValueBlock(Self.shape))
            memset(block.base, 1, Self.shape.blockBytes)
            blocks[index] = block
            others.append([UInt8](repeating: 1, count: 100))
        }
        let before = try residentBytes()
        for index in stride(from: 0, to: count, by: 2) { blocks[index] = nil }
        let returned = try before - residentBytes()
        #expect(returned > count / 2 * Self.shape.blockBytes * 3 / 4)
        withExtendedLifetime((blocks, others)) {}
    }

    /// The resident memory of this process. Source: proc(5), `/proc/pid/statm`.
    private func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * Int(getpagesize())
    }
    #endif
}
