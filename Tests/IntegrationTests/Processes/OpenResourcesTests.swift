import Foundation
import Testing
import _LeapProcessTestSupport

/// Tests of the helper that counts open resources.
@Suite("Counting open resources")
struct OpenResourcesTests {
    @Test("a file that stays open is counted")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 20, patience: 10) {
                _ = open("/dev/null", O_RDONLY | O_CLOEXEC)
            }
            #expect(left.descriptors == 20 && !left.isNothing, "\(left)")
        }
    }

    #if os(Linux)
    @Test("a memory map that stays is counted")
    func maps() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 1000, patience: 10) {
                // Adjacent maps with different rights are separate ranges.
                for rights in [PROT_READ, PROT_READ | PROT_WRITE] {
                    _ = mmap(nil, 4096, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                }
            }
            #expect(try #require(left.maps) > 1000 && !left.isNothing, "\(left)")
        }
    }

    @Test("a thread that stays is counted")
    func threads() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 200, patience: 10) { Thread.detachNewThread { sleep(600) } }
            // Threads of dispatch queues come and go meanwhile.
            #expect((190...210).contains(left.threads ?? 0) && !left.isNothing, "\(left)")
        }
    }
    #endif
}
