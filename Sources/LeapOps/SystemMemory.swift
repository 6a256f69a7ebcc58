#if canImport(Darwin)
import Darwin
#endif

/// How much memory this process may still take.
public enum SystemMemory {
    /// Bytes that can be had without swapping, as far as the system tells, else `Int.max`: the machine's, and no more than
    /// the control group permits. What only caches files counts as free.
    public static var available: Int {
        #if canImport(Darwin)
        freePages()
        #else
        min(machine() ?? .max, controlGroup() ?? .max)
        #endif
    }

    #if canImport(Darwin)
    private static func freePages() -> Int {
        var statistics = vm_statistics64_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<vm_statistics64_data_t>.size / MemoryLayout<integer_t>.size)
        let result = withUnsafeMutablePointer(to: &statistics) {
            $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                host_statistics64(mach_host_self(), HOST_VM_INFO64, $0, &count)
            }
        }
        guard result == KERN_SUCCESS else { return .max }
        let pages = Int(statistics.free_count) + Int(statistics.inactive_count) + Int(statistics.purgeable_count)
        return pages * Int(sysconf(_SC_PAGESIZE))
    }
    #else
    /// `MemAvailable:   23456789 kB`
    private static func machine() -> Int? {
        let line = KernelFile.lines(of: "/proc/meminfo").first { $0.hasPrefix("MemAvailable:") }
        guard let field = line?.split(separator: " ").dropFirst().first, let kibibytes = Int(field) else { return nil }
        return kibibytes << 10
    }

    /// Control group version 2. What its processes have written or read of files can be given back.
    private static func controlGroup() -> Int? {
        let folder = "/sys/fs/cgroup/"
        guard let limit = KernelFile.lines(of: folder + "memory.max").first.flatMap({ Int($0) }),
            let used = KernelFile.lines(of: folder + "memory.current").first.flatMap({ Int($0) })
        else { return nil }
        let cached = KernelFile.lines(of: folder + "memory.stat").first { $0.hasPrefix("file ") }
            .flatMap { Int($0.dropFirst("file ".count)) }
        return max(0, limit - used + (cached ?? 0))
    }
    #endif
}
