import Foundation
import Testing

@testable import leap_bench

@Suite("What disturbs leap-bench")
struct BenchDisturbanceTests {
    /// As a virtual machine of two CPUs wrote it, ten seconds apart.
    private static let earlier = """
        cpu  148651 6 26220 26823 3118 0 230 958 0 0
        cpu0 74210 3 13010 13511 1600 0 120 480 0 0
        intr 5120391 0 9

        """
    private static let later = "cpu  150051 6 26320 27123 3138 0 240 1128 0 0\n"

    private static func times(_ stat: String, own: Double) throws -> CPUTimes {
        try #require(CPUTimes(stat: stat, ticksPerSecond: 100, own: own))
    }

    @Test("The kernel's first line is read in seconds")
    func line() throws {
        let times = try Self.times(Self.earlier, own: 7)
        #expect(abs(times.busy - 1751.07) < 1e-9)
        #expect(abs(times.idle - 299.41) < 1e-9)
        #expect(times.steal == 9.58)
        #expect(times.own == 7)
    }

    @Test("Shares are of all CPUs' time: 20 s, of which 12 are our own, 3.1 others', and 1.7 stolen")
    func shares() throws {
        let use = try #require(CPUUse(from: Self.times(Self.earlier, own: 7), to: Self.times(Self.later, own: 19)))
        #expect(abs(use.others - 3.1 / 20) < 1e-9)
        #expect(abs(use.steal - 1.7 / 20) < 1e-9)
    }

    @Test("More of our own than the ticks count is nothing of others")
    func coarseTicks() throws {
        let use = try #require(CPUUse(from: Self.times(Self.earlier, own: 7), to: Self.times(Self.later, own: 22.5)))
        #expect(use.others == 0)
    }

    @Test("So short a time that the ticks do not tell has no shares")
    func shortTime() throws {
        let times = try Self.times(Self.earlier, own: 7)
        #expect(CPUUse(from: times, to: times) == nil)
    }

    @Test(
        "What is no line of the kernel's is none",
        arguments: ["", "cpu", "cpu  1 2 3 4", "cpu0 1 2 3 4 5 6 7 8", "cpu a b c d e f g h", "intr 1 2 3 4 5 6 7 8"])
    func brokenLine(text: String) { #expect(CPUTimes(stat: text, ticksPerSecond: 100, own: 0) == nil) }

    #if os(Linux)
    @Test("This machine's line is read, and work shows as our own")
    func thisMachine() throws {
        let start = try #require(CPUTimes.now())
        var sum = 0.0
        while try #require(CPUTimes.now()).own < start.own + 0.2 { sum += (0..<100_000).reduce(0) { $0 + Double($1) } }
        let end = try #require(CPUTimes.now())
        #expect(sum > 0 && end.busy >= start.busy && end.idle >= start.idle)
    }

    @Test("This machine's load is read") func thisLoad() throws {
        let load = try #require(LoadAverage.now())
        #expect(load.lastMinute >= 0 && load.running >= 1)
    }
    #endif

    @Test("Nothing disturbs a machine that does nothing else")
    func quiet() {
        #expect(Disturbance.found(CPUUse(others: 0.04, steal: 0.02), limitShare: 1.0).isEmpty)
        #expect(Disturbance.found(nil, limitShare: nil).isEmpty)
        #expect(Disturbance.warnings([("pp512", [])]).isEmpty)
    }

    @Test("Others, the host and a limit that was passed are each found")
    func found() {
        let found = Disturbance.found(CPUUse(others: 0.31, steal: 0.05), limitShare: 1.08)
        #expect(found == [.others(0.31), .steal(0.05), .limit(1.08)])
    }

    @Test("Each kind is said once, with the test that suffered most")
    func warnings() {
        let lines = Disturbance.warnings([
            ("pp512", [.others(0.1), .steal(0.2)]), ("tg128", [.others(0.31), .limit(1.08)]), ("tg64", [.limit(1.02)]),
        ])
        let expected = [
            "warning: other processes took 31 % of the CPUs' time during tg128: the figures are theirs as well. "
                + "Measure again when nothing else runs.",
            "warning: this virtual machine's host kept 20 % of the CPUs' time for others during pp512: "
                + "compare only what was measured in turns.",
            "warning: tg128 read 108 % of the limit, so what reads memory beside this process took more of it while "
                + "the limit was measured than during the test: 'of limit' says nothing here.",
        ]
        #expect(lines == expected)
    }

    @Test(
        "A load that others cause is said before anything is measured",
        arguments: [
            ("4.08 3.83 2.43 7/152 22393", 2, "the load average is 4.08 on 2 CPUs"),
            ("0.80 0.10 0.10 2/90 100", 1, "the load average is 0.80 on 1 CPU:"),
        ])
    func load(text: String, cpus: Int, message: String) throws {
        let warning = try #require(LoadAverage(text: text)?.warning(cpus: cpus))
        #expect(warning.contains(message))
    }

    @Test(
        "A quiet machine is no matter, nor is one where something has just ended",
        arguments: ["0.20 0.10 0.10 3/90 100", "4.08 3.83 2.43 1/152 22393"])
    func noLoad(text: String) throws {
        #expect(try #require(LoadAverage(text: text)).warning(cpus: 2) == nil)
    }

    @Test("What is no load is none", arguments: ["", "a b c 1/2 3", "1.0 2.0 3.0", "nan 0 0 1/2 3", "1 1 1 x/2 3"])
    func brokenLoad(text: String) { #expect(LoadAverage(text: text) == nil) }
}
