import Foundation
import LeapToolSupport
import Testing

@Suite("File descriptors", .timeLimit(.minutes(1)))
struct DescriptorTests {
    @Test("reading and writing wait on non-blocking descriptors")
    func nonBlocking() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let writer = Task.detached {
            defer { close(writing) }
            try await Task.sleep(for: .milliseconds(100))
            try Descriptor.write(bytes, to: writing)
        }
        let found = try Descriptor.readToEnd(reading)
        close(reading)
        try await writer.value
        #expect(found == bytes)
    }
}
