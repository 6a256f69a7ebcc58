#if canImport(Darwin)
import Darwin
import os
#endif

/// How much memory this process may still allocate.
public enum SystemMemory {
    /// Bytes available without swapping, as far as the system reports them, otherwise `Int.max`: the machine's, but no
    /// more than the control group permits. Memory that only caches files counts as free.
    public static var available: Int {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        // iOS kills an app beyond its limit, however much memory the device has. In a simulator the call returns 0.
        let permitted = Int(os_proc_available_memory())
        return permitted > 0 ? permitted : freePages()
        #elseif canImport(Darwin)
        freePages()
        #else
        min(machine() ?? .max, ControlGroups.ofThisProcess.availableMemory ?? .max)
        #endif
    }

    #if canImport(Darwin)
    /// Kept for the process's lifetime, because each call of `mach_host_self` takes another reference to the port.
    private static let host = mach_host_self()

    private static func freePages() -> Int {
        var statistics = vm_statistics64_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<vm_statistics64_data_t>.size / MemoryLayout<integer_t>.size)
        let result = withUnsafeMutablePointer(to: &statistics) {
            $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                host_statistics64(host, HOST_VM_INFO64, $0, &count)
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
    #endif
}
