import Foundation
import Testing

@testable import LeapHTTP

/// Buffers for the pieces of a body.
struct BlockPoolTests {
    @Test func `Bytes are read in the order written, whatever the piece sizes`() {
        for size in [1, 1000, 700_000, 1 << 20, 3_000_001] {
            var waiting = WaitingBytes()
            var (sent, received) = (Data(), Data())
            for round in 0..<5 {
                let piece = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) })
                piece.withUnsafeBytes { waiting.append($0) }
                sent += piece
                #expect(waiting.count == sent.count - received.count)
                if round % 2 == 0, let next = waiting.next() { received += next }
            }
            while let next = waiting.next() { received += next }
            #expect(received == sent)
            #expect(waiting.count == 0 && waiting.next() == nil)
        }
    }

    @Test func `A retained piece keeps its bytes, and a released one returns its block`() {
        let pool = BlockPool(size: 100)
        func piece(_ byte: UInt8) -> Data {
            let block = pool.take()
            #expect(block.bytes.isEmpty)
            #expect([UInt8](repeating: byte, count: 300).withUnsafeBytes { block.append($0) } == 100)
            #expect(block.isFull)
            return pool.bytes(of: block)
        }
        func address(_ data: Data) -> Int { data.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
        let held = piece(1)
        let first = address(piece(2))
        #expect(address(piece(3)) == first)
        #expect(address(held) != first)
        #expect(held == Data(repeating: 1, count: 100))
    }
}
