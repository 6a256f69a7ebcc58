#if canImport(Darwin)
import Darwin
#else
import Foundation
#endif

/// Memory that this process has, in bytes.
struct MemoryUse: Hashable {
    /// The most that was resident at one time, mapped files included (`VmHWM`).
    var peakResident = 0
    /// Memory of the process's own, without mapped files (`RssAnon`; on Apple platforms the physical footprint).
    var anonymous = 0

    /// What holds both: the larger of each.
    func merged(with other: MemoryUse) -> MemoryUse {
        MemoryUse(
            peakResident: max(peakResident, other.peakResident), anonymous: max(anonymous, other.anonymous))
    }
}

#if canImport(Darwin)
extension MemoryUse {
    /// What the system says now.
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

    /// The system keeps one peak for the life of a process.
    static func resetPeak() {}
}
#else
extension MemoryUse {
    /// What the kernel says now; zeros where it does not.
    static func now() -> MemoryUse {
        MemoryUse(status: (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "")
    }

    /// Reads the text of `/proc/self/status`, lines like `RssAnon:      1234 kB`.
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

    /// Starts the peak anew, so that each test has its own. Where the kernel refuses, the peak is the whole run's.
    /// Source: proc(5), `/proc/pid/clear_refs`.
    static func resetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }
}
#endif
