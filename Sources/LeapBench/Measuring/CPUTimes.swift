import Foundation

/// What the machine's CPUs have done since it started, and this process of it, in seconds of CPU time.
struct CPUTimes: Hashable {
    /// Computing, for whichever process.
    var busy = 0.0
    /// Waiting for something to do.
    var idle = 0.0
    /// Ready to compute while the host of this virtual machine computed something else.
    var steal = 0.0
    /// What this process computed.
    var own = 0.0
}

extension CPUTimes {
    /// Reads the first line of the text of `/proc/stat`, `cpu user nice system idle iowait irq softirq steal …`, which
    /// counts ticks. What runs in guests of this machine is a part of `user` and `nice`. Source: proc(5).
    ///
    /// - Parameter own: Seconds that this process has computed.
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
    /// What the kernel says now; `nil` where it does not.
    static func now() -> CPUTimes? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return CPUTimes(
            stat: (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? "",
            ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
            own: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
    }
    #else
    /// Other systems do not tell a process what others do.
    static func now() -> CPUTimes? { nil }
    #endif
}

/// How the CPUs' time went, besides what this process took, while something was measured.
struct CPUUse: Hashable {
    /// The share that other processes took, 0 to 1.
    let others: Double
    /// The share that the host of this virtual machine kept for others, 0 to 1.
    let steal: Double

    /// The use between two moments; `nil` for so short a time that the kernel's ticks do not tell.
    init?(from start: CPUTimes, to end: CPUTimes) {
        let steal = end.steal - start.steal
        let busy = end.busy - start.busy
        let total = busy + end.idle - start.idle + steal
        guard total >= Self.shortest else { return nil }
        // Ticks are coarser than what is known of this process.
        others = min(max(0, (busy - (end.own - start.own)) / total), 1)
        self.steal = min(max(0, steal / total), 1)
    }

    init(others: Double, steal: Double) {
        self.others = others
        self.steal = steal
    }

    /// Seconds of CPU time that fifty of the usual ticks last: shares are then right within some per cent.
    private static let shortest = 0.5
}

/// How many threads want to compute.
struct LoadAverage: Hashable {
    /// On average over about a minute.
    let lastMinute: Double
    /// At this moment, the asking one among them.
    let running: Int

    /// Reads the text of `/proc/loadavg`, such as `4.08 3.83 2.43 7/152 22393`. Source: proc(5).
    init?(text: String) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 4, let average = Double(fields[0]), average.isFinite,
            let running = fields[3].split(separator: "/").first.flatMap({ Int($0) })
        else { return nil }
        lastMinute = average
        self.running = running
    }

    /// What the kernel says now; `nil` where it does not.
    static func now() -> LoadAverage? {
        (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)).flatMap { LoadAverage(text: $0) }
    }
}
