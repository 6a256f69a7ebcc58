import Testing

@testable import LeapOps

@Suite struct ScratchArenaTests {
    @Test("Allocations are aligned and do not overlap")
    func alignedAndDisjoint() {
        let arena = ScratchArena()
        var ranges: [Range<UInt>] = []
        for size in [1, 63, 64, 65, 1 << 20, 3 << 20, 7] {
            let start = UInt(bitPattern: arena.bytes(size))
            #expect(start % 64 == 0)
            let range = start..<start + UInt(size)
            #expect(!ranges.contains { $0.overlaps(range) })
            ranges.append(range)
        }
    }

    @Test("A second pass of the same size allocates nothing")
    func steadyState() {
        let arena = ScratchArena()
        func pass() {
            #expect(arena.reset())
            for _ in 0..<10 { arena.scope { _ = arena.rows(100, width: 10_000) } }
            _ = arena.rows(1000, width: 1000)
        }
        pass()
        pass()
        let held = arena.byteCount
        pass()
        #expect(arena.byteCount == held)
    }

    @Test("Reserved memory is contiguous")
    func reserved() {
        let arena = ScratchArena()
        #expect(arena.reset(reserving: 10 << 20))
        let held = arena.byteCount
        _ = arena.bytes(9 << 20)
        #expect(arena.byteCount == held)
    }

    @Test("Reserving more memory than the system has fails")
    func refused() {
        #expect(!ScratchArena().reset(reserving: Int.max / 2))
    }

    @Test("A scope frees its memory")
    func scopes() {
        let arena = ScratchArena()
        let first = arena.scope { arena.bytes(1000) }
        let second = arena.scope { arena.bytes(1000) }
        #expect(first == second)
    }
}
