import Foundation

/// The CPU time of the machine since it started, and of this process, in seconds.
struct CPUTimes: Hashable {
    /// Time spent computing, for any process.
    var busy = 0.0
    /// Idle time.
    var idle = 0.0
    /// Time in which a CPU was ready to run while the hypervisor ran something else.
    var steal = 0.0
    /// CPU time of this process.
    var own = 0.0
}

extension CPUTimes {
    /// Parses the first line of `/proc/stat`, `cpu user nice system idle iowait irq softirq steal …`, which counts
    /// ticks. The time of this machine's guests is included in `user` and `nice`. Source: proc(5).
    ///
    /// - Parameter own: CPU time of this process in seconds.
    init?(stat: String, ticksPerSecond: Double, own: Double) {
        let fields = stat.prefix { $0 != "\n" }.split(separator: " ")
        let ticks = fields.dropFirst().prefix(8).compactMap { Double($0) }
        guard fields.first == "cpu", ticks.count == 8, ticksPerSecond > 0 else { return nil }
        busy = (ticks[0...2].reduce(0, +) + ticks[5...6].reduce(0, +)) / ticksPerSecond
        idle = (ticks[3] + ticks[4]) / ticksPerSecond
        steal = ticks[7] / ticksPerSecond
        self.own = own
    }

    #if os(Linux) || os(Android)
    /// The kernel's current values; `nil` if it does not report any.
    static func now() -> CPUTimes? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return CPUTimes(
            stat: (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? "",
            ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
            own: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
    }
    #else
    /// Other systems do not report the CPU time of other processes.
    static func now() -> CPUTimes? { nil }
    #endif
}

/// How CPU time that this process did not use was spent during a measurement.
struct CPUUse: Hashable {
    /// The fraction that other processes used, 0 to 1.
    let others: Double
    /// The fraction that the hypervisor used for others, 0 to 1.
    let steal: Double

    /// The use between two moments; `nil` if the time is too short for the kernel's tick resolution.
    init?(from start: CPUTimes, to end: CPUTimes) {
        let steal = end.steal - start.steal
        let busy = end.busy - start.busy
        let total = busy + end.idle - start.idle + steal
        guard total >= Self.shortest else { return nil }
        // Ticks are coarser than the time measured for this process.
        others = min(max(0, (busy - (end.own - start.own)) / total), 1)
        self.steal = min(max(0, steal / total), 1)
    }

    init(others: Double, steal: Double) {
        self.others = others
        self.steal = steal
    }

    /// CPU seconds of fifty typical ticks, for which fractions are accurate to a few per cent.
    private static let shortest = 0.5
}

/// The number of runnable threads.
struct LoadAverage: Hashable {
    /// Averaged over about a minute.
    let lastMinute: Double
    /// At this moment, including the calling thread.
    let running: Int

    /// Parses `/proc/loadavg`, such as `4.08 3.83 2.43 7/152 22393`. Source: proc(5).
    init?(text: String) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 4, let average = Double(fields[0]), average.isFinite,
            let running = fields[3].split(separator: "/").first.flatMap({ Int($0) })
        else { return nil }
        lastMinute = average
        self.running = running
    }

    /// The kernel's current values; `nil` if it does not report any.
    static func now() -> LoadAverage? {
        (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)).flatMap { LoadAverage(text: $0) }
    }
}
