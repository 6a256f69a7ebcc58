#if !canImport(Darwin)
/// The control groups that the process is in, and the limits that a container, a service manager or an administrator
/// has set on them: cgroups(7), "Control Group v2" of the kernel's documentation, and "Memory Resource Controller" for
/// version 1.
struct ControlGroups: Sendable {
    /// Where the groups of the controllers are mounted.
    private let root: String
    /// The lines of `/proc/self/cgroup`: `NUMBER:CONTROLLERS:PATH`, of version 2 `0::PATH`.
    private let membership: [String]

    static let ofThisProcess = ControlGroups(
        root: "/sys/fs/cgroup", membership: KernelFile.lines(of: "/proc/self/cgroup"))

    init(root: String, membership: [String]) {
        self.root = root
        self.membership = membership
    }

    /// The CPU quota as a number of CPUs, rounded up; `nil` if there is no limit.
    var cpuCount: Int? {
        let unified = folders().compactMap { folder in
            // `QUOTA PERIOD` in microseconds, or `max PERIOD`.
            let fields = lines(folder + "/cpu.max").first?.split(separator: " ").map { Int($0) } ?? []
            return fields.count == 2 ? Self.cpuCount(quota: fields[0], period: fields[1]) : nil
        }
        let first = folders(of: "cpu").compactMap { folder in
            Self.cpuCount(quota: number(folder + "/cpu.cfs_quota_us"), period: number(folder + "/cpu.cfs_period_us"))
        }
        return (unified + first).min()
    }

    /// Bytes that may still be allocated; `nil` if there is no limit. The group's page cache counts as free, because it
    /// can be reclaimed; shared memory, which is not backed by a file, does not.
    var availableMemory: Int? {
        let unified = folders().compactMap { folder in
            available(folder, limit: "memory.max", used: "memory.current", cached: "file", shared: "shmem")
        }
        let first = folders(of: "memory").compactMap { folder in
            available(
                folder, limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", cached: "total_cache",
                shared: "total_shmem")
        }
        return (unified + first).min()
    }

    private static func cpuCount(quota: Int?, period: Int?) -> Int? {
        guard let quota, let period, quota > 0, period > 0 else { return nil }
        return (quota - 1) / period + 1
    }

    private func available(_ folder: String, limit: String, used: String, cached: String, shared: String) -> Int? {
        guard let limit = number(folder + "/" + limit), let used = number(folder + "/" + used) else { return nil }
        let statistics = lines(folder + "/memory.stat").map { $0.split(separator: " ") }
        func statistic(_ name: String) -> Int {
            statistics.first { $0.count == 2 && $0[0] == name }.flatMap { Int($0[1]) } ?? 0
        }
        let reclaimable = max(0, statistic(cached) &- statistic(shared))
        let (free, isTooLarge) = (limit &- used).addingReportingOverflow(reclaimable)
        return isTooLarge ? .max : max(0, free)
    }

    // MARK: - Files

    /// The folders of the group and of its ancestors, whose limits also apply. In a container, the path may name a
    /// folder that only the host sees: then the mount's root is the container's own.
    ///
    /// - Parameter controller: A version 1 controller; `nil` for version 2.
    private func folders(of controller: String? = nil) -> [String] {
        for line in membership {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3,
                controller.map({ fields[1].split(separator: ",").contains($0[...]) }) ?? fields[1].isEmpty
            else { continue }
            let mount = controller == nil ? root : "\(root)/\(fields[1])"
            var path = fields[2]
            var folders = [mount]
            while let slash = path.lastIndex(of: "/") {
                if path.count > 1 { folders.append(mount + path) }
                path = path[..<slash]
            }
            return folders
        }
        return []
    }

    private func lines(_ path: String) -> [String] { KernelFile.lines(of: path) }

    /// The number that a file holds; `nil` for `max`.
    private func number(_ path: String) -> Int? { lines(path).first.flatMap { Int($0) } }
}
#endif
