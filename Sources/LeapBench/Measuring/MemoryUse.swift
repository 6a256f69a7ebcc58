#if canImport(Darwin)
import Darwin
#else
import Foundation
#endif

/// The memory of this process, in bytes.
struct MemoryUse: Hashable {
    /// The peak resident size, including mapped files (`VmHWM`).
    var peakResident = 0
    /// Private memory without mapped files (`RssAnon`; on Apple platforms the physical footprint).
    var anonymous = 0

    /// The larger of each.
    func merged(with other: MemoryUse) -> MemoryUse {
        MemoryUse(
            peakResident: max(peakResident, other.peakResident), anonymous: max(anonymous, other.anonymous))
    }
}

#if canImport(Darwin)
extension MemoryUse {
    /// The system's current values.
    static func now() -> MemoryUse {
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        var info = rusage_info_v4()
        withUnsafeMutablePointer(to: &info) {
            $0.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
                _ = proc_pid_rusage(getpid(), RUSAGE_INFO_V4, $0)
            }
        }
        return MemoryUse(peakResident: Int(usage.ru_maxrss), anonymous: Int(clamping: info.ri_phys_footprint))
    }

    /// The system keeps one peak for the lifetime of a process.
    static func resetPeak() {}
}
#else
extension MemoryUse {
    /// The kernel's current values; zeros if it does not report any.
    static func now() -> MemoryUse {
        MemoryUse(status: (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "")
    }

    /// Parses `/proc/self/status`, with lines such as `RssAnon:      1234 kB`.
    init(status: String) {
        for line in status.split(separator: "\n") {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count == 3, fields[2] == "kB", let kibibytes = Int(fields[1]) else { continue }
            switch fields[0] {
            case "VmHWM:": peakResident = kibibytes << 10
            case "RssAnon:": anonymous = kibibytes << 10
            default: break
            }
        }
    }

    /// Resets the peak, so that each test has its own. If the kernel refuses, the peak is that of the whole run.
    /// Source: proc(5), `/proc/pid/clear_refs`.
    static func resetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }
}
#endif
