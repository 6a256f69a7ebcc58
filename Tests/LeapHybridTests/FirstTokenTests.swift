import Testing

@testable import LeapHybrid

@Suite("First token", .timeLimit(.minutes(1)))
struct FirstTokenTests {
    private let late = HybridError.tooSlow(.local, .milliseconds(1))

    @Test(arguments: [false, true])
    func `The timeout applies only until the answer begins`(isDelivered: Bool) async throws {
        let first = FirstToken()
        if isDelivered { try first.arrive() } else { try first.begin() }
        let result = try await first.within(.milliseconds(1), late: late) {
            try await Task.sleep(for: .milliseconds(30))
            return 7
        }
        // While a call is being generated, the answer has begun, but nothing was delivered.
        #expect(result == 7 && first.hasArrived == isDelivered)
    }

    @Test func `An answer that does not begin in time is cancelled and can deliver nothing more`() async throws {
        let first = FirstToken()
        await #expect(throws: HybridError.self) {
            try await first.within(.milliseconds(1), late: late) { try await Task.sleep(for: .seconds(600)) }
        }
        #expect(throws: CancellationError.self) { try first.arrive() }
        #expect(throws: CancellationError.self) { try first.begin() }
        #expect(!first.hasArrived)
    }

    @Test func `A failure before the timeout throws its own error`() async throws {
        await #expect(throws: CancellationError.self) {
            try await FirstToken().within(.seconds(600), late: late) { throw CancellationError() }
        }
    }
}
