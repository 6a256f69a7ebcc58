import Testing

@testable import LeapHTTP

struct ResponseTimingTests {
    private let start = ContinuousClock.now

    private func timing(_ timeouts: TransportTimeouts) -> ResponseTiming { ResponseTiming(timeouts, now: start) }

    @Test func `Without limits nothing ever times out`() {
        let timing = timing(TransportTimeouts())
        #expect(!timing.hasLimits)
        #expect(timing.check(at: start + .seconds(1_000_000)) == .unlimited)
    }

    @Test func `The connect timeout applies only until the connection is established`() {
        var timing = timing(TransportTimeouts(connect: .seconds(3)))
        #expect(timing.check(at: start + .seconds(2)) == .until(start + .seconds(3)))
        #expect(timing.check(at: start + .seconds(3)) == .passed(.connect, .seconds(3)))
        timing.progressed(at: start + .seconds(2))
        #expect(timing.check(at: start + .seconds(3)) == .unlimited)
    }

    @Test func `Idle time counts from the connection while the reader waits`() {
        var timing = timing(TransportTimeouts(idle: .seconds(5)))
        #expect(timing.check(at: start + .seconds(100)) == .until(start + .seconds(105)))
        timing.progressed(at: start + .seconds(100))
        #expect(timing.check(at: start + .seconds(104)) == .until(start + .seconds(105)))
        #expect(timing.check(at: start + .seconds(105)) == .passed(.idle, .seconds(5)))
    }

    @Test func `Pauses of the reader do not count as idle time`() {
        var timing = timing(TransportTimeouts(idle: .seconds(5)))
        timing.progressed(at: start)
        timing.readerStopped()
        #expect(timing.check(at: start + .seconds(60)) == .until(start + .seconds(65)))
        timing.readerWaits(since: start + .seconds(61))
        #expect(timing.check(at: start + .seconds(65)) == .until(start + .seconds(66)))
        #expect(timing.check(at: start + .seconds(66)) == .passed(.idle, .seconds(5)))
    }

    @Test func `Idle time starts again with every part of the request that is sent, but not for a reader that pauses`()
    {
        var timing = timing(TransportTimeouts(connect: .seconds(3), idle: .seconds(5)))
        for second in [2, 6, 10] { timing.progressed(at: start + .seconds(second)) }
        #expect(timing.check(at: start + .seconds(14)) == .until(start + .seconds(15)))
        #expect(timing.check(at: start + .seconds(15)) == .passed(.idle, .seconds(5)))
        timing.readerStopped()
        timing.progressed(at: start + .seconds(11))
        #expect(timing.check(at: start + .seconds(60)) == .until(start + .seconds(65)))
    }

    @Test func `The timeout of the whole request counts even while the reader pauses`() {
        var timing = timing(TransportTimeouts(idle: .seconds(5), whole: .seconds(7)))
        timing.progressed(at: start)
        timing.readerStopped()
        #expect(timing.check(at: start + .seconds(6)) == .until(start + .seconds(7)))
        #expect(timing.check(at: start + .seconds(7)) == .passed(.whole, .seconds(7)))
    }

    @Test func `A connection that is noticed only by the response may take as long as the response`() {
        let timeouts = TransportTimeouts(connect: .seconds(30), idle: .seconds(60)).connectingUntilHead
        #expect(timeouts == TransportTimeouts(connect: .seconds(60), idle: .seconds(60)))
        for timeouts in [
            TransportTimeouts(connect: .seconds(30), idle: .seconds(5)), TransportTimeouts(connect: .seconds(30)),
            TransportTimeouts(idle: .seconds(5)),
        ] {
            #expect(timeouts.connectingUntilHead == timeouts)
        }
    }
}
