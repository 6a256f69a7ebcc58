#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How many CPUs this process may use.
public enum CPUCount {
    /// CPUs that the scheduler and the container permit, at least 1: the affinity mask's, no more than the control
    /// group's quota rounded up. On Apple platforms, the performance cores.
    public static let permitted: Int = {
        #if canImport(Darwin)
        max(1, systemControl("hw.perflevel0.physicalcpu") ?? systemControl("hw.physicalcpu") ?? 1)
        #else
        max(1, min(affinityCount(), quota() ?? Int.max))
        #endif
    }()

    #if canImport(Darwin)
    private static func systemControl(_ name: String) -> Int? {
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        return sysctlbyname(name, &value, &size, nil, 0) == 0 ? Int(value) : nil
    }
    #else
    /// The affinity mask as the kernel prints it: hexadecimal words after `Cpus_allowed:`.
    private static func affinityCount() -> Int {
        let mask = KernelFile.lines(of: "/proc/self/status").first { $0.hasPrefix("Cpus_allowed:") }
        let count = mask?.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue)
            .reduce(0) { $0 + $1.nonzeroBitCount }
        if let count, count > 0 { return count }
        return sysconf(Int32(_SC_NPROCESSORS_ONLN))
    }

    /// Control group version 2 writes `quota period` in microseconds, or `max period`.
    private static func quota() -> Int? {
        let fields = KernelFile.lines(of: "/sys/fs/cgroup/cpu.max").first?.split(separator: " ").map { Int($0) } ?? []
        guard fields.count == 2, let quota = fields[0], let period = fields[1], quota > 0, period > 0 else {
            return nil
        }
        return (quota - 1) / period + 1
    }
    #endif
}
