#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// When a file of the cache was used last: its modification time.
struct UseTime: Comparable, Sendable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) {
        (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }

    private init(seconds: Int, nanoseconds: Int) {
        (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
    }

    static var now: UseTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UseTime(time)
    }

    /// The latest time that is believed: a minute from now, as clocks of machines that share a folder differ a little.
    static var latest: UseTime { now.behind(seconds: -60) }

    /// The time some seconds earlier.
    func behind(seconds count: Int) -> UseTime { UseTime(seconds: seconds &- count, nanoseconds: nanoseconds) }

    /// The time of a segment that is a number of segments behind one that was used now.
    ///
    /// A segment is useless without those before it, so it must be evicted before them: it is older, by a step that
    /// file systems which count in 100 nanoseconds keep apart too.
    func behind(_ segments: Int = 1) -> UseTime {
        let rest = nanoseconds - segments * Self.step
        let borrowed = rest < 0 ? (Self.second - 1 - rest) / Self.second : 0
        return UseTime(seconds: seconds &- borrowed, nanoseconds: rest + borrowed * Self.second)
    }

    /// As the system takes it.
    var specification: timespec { timespec(tv_sec: numericCast(seconds), tv_nsec: numericCast(nanoseconds)) }

    static func < (one: UseTime, other: UseTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }

    /// Nanoseconds.
    private static let (step, second) = (1000, 1_000_000_000)
}
