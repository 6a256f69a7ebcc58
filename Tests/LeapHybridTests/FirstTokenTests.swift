import Testing

@testable import LeapHybrid

@Suite("The first token", .timeLimit(.minutes(1)))
struct FirstTokenTests {
    private let late = HybridError.tooSlow(.local, .milliseconds(1))

    @Test(arguments: [false, true])
    func `The time to begin is none to end`(isDelivered: Bool) async throws {
        let first = FirstToken()
        if isDelivered { try first.arrive() } else { try first.begin() }
        let result = try await first.within(.milliseconds(1), late: late) {
            try await Task.sleep(for: .milliseconds(30))
            return 7
        }
        // A call that is being written has begun, but nothing of it was delivered.
        #expect(result == 7 && first.hasArrived == isDelivered)
    }

    @Test func `What does not begin in time is cancelled, and delivers nothing any more`() async throws {
        let first = FirstToken()
        await #expect(throws: HybridError.self) {
            try await first.within(.milliseconds(1), late: late) { try await Task.sleep(for: .seconds(600)) }
        }
        #expect(throws: CancellationError.self) { try first.arrive() }
        #expect(throws: CancellationError.self) { try first.begin() }
        #expect(!first.hasArrived)
    }

    @Test func `What fails in time fails with its own error`() async throws {
        await #expect(throws: CancellationError.self) {
            try await FirstToken().within(.seconds(600), late: late) { throw CancellationError() }
        }
    }
}
