#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How many CPUs this process may use.
public enum CPUCount {
    /// CPUs that the scheduler and the container permit, at least 1: those in the affinity mask, but no more than the
    /// control group's quota, rounded up. On Apple platforms, the performance cores.
    public static let permitted: Int = {
        #if canImport(Darwin)
        max(1, systemControl("hw.perflevel0.physicalcpu") ?? systemControl("hw.physicalcpu") ?? 1)
        #else
        max(1, min(affinityCount(), ControlGroups.ofThisProcess.cpuCount ?? Int.max))
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
    #endif
}
