import Foundation
import Testing

@testable import leap_bench

@Suite("Disturbances of measurements")
struct BenchDisturbanceTests {
    /// `/proc/stat` of a virtual machine with two CPUs, ten seconds apart.
    private static let earlier = """
        cpu  148651 6 26220 26823 3118 0 230 958 0 0
        cpu0 74210 3 13010 13511 1600 0 120 480 0 0
        intr 5120391 0 9

        """
    private static let later = "cpu  150051 6 26320 27123 3138 0 240 1128 0 0\n"

    private static func times(_ stat: String, own: Double) throws -> CPUTimes {
        try #require(CPUTimes(stat: stat, ticksPerSecond: 100, own: own))
    }

    @Test("The first line of /proc/stat is read in seconds")
    func line() throws {
        let times = try Self.times(Self.earlier, own: 7)
        #expect(abs(times.busy - 1751.07) < 1e-9)
        #expect(abs(times.idle - 299.41) < 1e-9)
        #expect(times.steal == 9.58)
        #expect(times.own == 7)
    }

    @Test("Shares are of the time of all CPUs: 20 s, with 12 s our own, 3.1 s others', 1.7 s stolen")
    func shares() throws {
        let use = try #require(CPUUse(from: Self.times(Self.earlier, own: 7), to: Self.times(Self.later, own: 19)))
        #expect(abs(use.others - 3.1 / 20) < 1e-9)
        #expect(abs(use.steal - 1.7 / 20) < 1e-9)
    }

    @Test("More time of our own than was counted leaves no share for other processes")
    func coarseTicks() throws {
        let use = try #require(CPUUse(from: Self.times(Self.earlier, own: 7), to: Self.times(Self.later, own: 22.5)))
        #expect(use.others == 0)
    }

    @Test("A time too short for any ticks has no shares")
    func shortTime() throws {
        let times = try Self.times(Self.earlier, own: 7)
        #expect(CPUUse(from: times, to: times) == nil)
    }

    @Test(
        "Malformed lines of /proc/stat are rejected",
        arguments: ["", "cpu", "cpu  1 2 3 4", "cpu0 1 2 3 4 5 6 7 8", "cpu a b c d e f g h", "intr 1 2 3 4 5 6 7 8"])
    func brokenLine(text: String) { #expect(CPUTimes(stat: text, ticksPerSecond: 100, own: 0) == nil) }

    #if os(Linux)
    @Test("This machine's CPU times are read, and work counts as our own")
    func thisMachine() throws {
        let start = try #require(CPUTimes.now())
        var sum = 0.0
        while try #require(CPUTimes.now()).own < start.own + 0.2 { sum += (0..<100_000).reduce(0) { $0 + Double($1) } }
        let end = try #require(CPUTimes.now())
        #expect(sum > 0 && end.busy >= start.busy && end.idle >= start.idle)
    }

    @Test("This machine's load average is read") func thisLoad() throws {
        let load = try #require(LoadAverage.now())
        #expect(load.lastMinute >= 0 && load.running >= 1)
    }
    #endif

    @Test("Small shares are not reported as disturbances")
    func quiet() {
        #expect(Disturbance.found(CPUUse(others: 0.04, steal: 0.02), limitShare: 1.0).isEmpty)
        #expect(Disturbance.found(nil, limitShare: nil).isEmpty)
        #expect(Disturbance.warnings([("pp512", [])]).isEmpty)
    }

    @Test("Other processes, steal time and an exceeded limit are each found")
    func found() {
        let found = Disturbance.found(CPUUse(others: 0.31, steal: 0.05), limitShare: 1.08)
        #expect(found == [.others(0.31), .steal(0.05), .limit(1.08)])
    }

    @Test("Each kind of disturbance is reported once, with the test it affected most")
    func warnings() {
        let lines = Disturbance.warnings([
            ("pp512", [.others(0.1), .steal(0.2)]), ("tg128", [.others(0.31), .limit(1.08)]), ("tg64", [.limit(1.02)]),
        ])
        let expected = [
            "warning: other processes took 31 % of the CPU time during tg128, which distorts the results. "
                + "Measure again when nothing else is running.",
            "warning: the host of this virtual machine withheld 20 % of the CPU time (steal) during pp512: "
                + "compare only tests that were measured alternately.",
            "warning: tg128 read 108 % of the limit, so other processes used more memory bandwidth while the "
                + "limit was measured than during the test: 'of limit' is meaningless here.",
        ]
        #expect(lines == expected)
    }

    @Test(
        "A high load average causes a warning",
        arguments: [
            ("4.08 3.83 2.43 7/152 22393", 2, "the load average is 4.08 on 2 CPUs"),
            ("0.80 0.10 0.10 2/90 100", 1, "the load average is 0.80 on 1 CPU:"),
        ])
    func load(text: String, cpus: Int, message: String) throws {
        let warning = try #require(LoadAverage(text: text)?.warning(cpus: cpus))
        #expect(warning.contains(message))
    }

    @Test(
        "A low load average, or one without other running processes, causes no warning",
        arguments: ["0.20 0.10 0.10 3/90 100", "4.08 3.83 2.43 1/152 22393"])
    func noLoad(text: String) throws {
        #expect(try #require(LoadAverage(text: text)).warning(cpus: 2) == nil)
    }

    @Test(
        "Malformed load averages are rejected",
        arguments: ["", "a b c 1/2 3", "1.0 2.0 3.0", "nan 0 0 1/2 3", "1 1 1 x/2 3"])
    func brokenLoad(text: String) { #expect(LoadAverage(text: text) == nil) }
}
