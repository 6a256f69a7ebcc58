#if !canImport(Darwin)
import Foundation
import Testing
import _LeapTestSupport

@testable import LeapOps

@Suite("Control group limits")
struct ControlGroupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func groups(_ membership: String...) -> ControlGroups {
        ControlGroups(root: folder.url.path, membership: membership)
    }

    private func write(_ path: String, _ files: [String: String]) throws {
        let url = folder.url.appending(path: path)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try Data((text + "\n").utf8).write(to: url.appending(path: name)) }
    }

    @Test("The tightest limit on the path from the root to the group applies")
    func nested() throws {
        let free = ["memory.max": "max", "memory.current": "500", "cpu.max": "max 100000"]
        try write("", ["cgroup.procs": ""])
        try write(
            "system.slice",
            [
                "memory.max": "1000", "memory.current": "800", "memory.stat": "anon 1\nfile 300\nshmem 100",
                "cpu.max": "150000 100000",
            ])
        try write("system.slice/a.service", free)
        let groups = groups("0::/system.slice/a.service")
        #expect(groups.availableMemory == 1000 - 800 + 300 - 100)
        #expect(groups.cpuCount == 2)
    }

    @Test("A container's own group is at the root, whatever its name on the host")
    func container() throws {
        try write("", ["memory.max": "4096", "memory.current": "1024", "cpu.max": "400000 100000"])
        for path in ["/", "/docker/1234", "/../.."] {
            let groups = groups("0::\(path)")
            #expect(groups.availableMemory == 3072)
            #expect(groups.cpuCount == 4)
        }
    }

    @Test("Version 1 limits are read from each controller's folder")
    func firstVersion() throws {
        try write(
            "memory/jobs/7",
            [
                "memory.limit_in_bytes": "10000", "memory.usage_in_bytes": "9000",
                "memory.stat": "cache 1\ntotal_cache 2000\ntotal_shmem 500",
            ])
        try write("memory", ["memory.limit_in_bytes": "9223372036854771712", "memory.usage_in_bytes": "9000"])
        try write("cpu,cpuacct/jobs", ["cpu.cfs_quota_us": "250000", "cpu.cfs_period_us": "100000"])
        try write("cpu,cpuacct", ["cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000"])
        let groups = groups("4:memory:/jobs/7", "3:cpu,cpuacct:/jobs/7", "0::/")
        #expect(groups.availableMemory == 10000 - 9000 + 2000 - 500)
        #expect(groups.cpuCount == 3)
    }

    @Test("Invalid files and memberships mean no limit")
    func none() throws {
        try write("", ["memory.max": "much", "memory.current": "1", "cpu.max": "0 0"])
        for membership in ["0::/", "0::", "", "7", "x:y:z", "1:memory:/a"] {
            #expect(groups(membership).availableMemory == nil)
            #expect(groups(membership).cpuCount == nil)
        }
        #expect(groups().cpuCount == nil)
    }

    @Test("Usage beyond the limit leaves no available memory")
    func overdrawn() throws {
        try write("", ["memory.max": "10", "memory.current": "9000000000000000000"])
        #expect(groups("0::/").availableMemory == 0)
    }
}
#endif
