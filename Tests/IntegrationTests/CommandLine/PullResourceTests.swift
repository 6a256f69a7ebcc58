import Foundation
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport
import _LeapTestSupport

/// `leap pull` with scarce system resources, and with unusable folders.
@Suite(.timeLimit(.minutes(10)))
struct PullResourceTests {
    #if os(Linux)
    /// Runs a pull under a limit, and expects either the model or one error; then pulls without the limit.
    private func pull(limitedBy limit: String) async throws {
        let vendor = try await Vendor.open()
        let outcome = try await vendor.leap(bash: "(\(limit); exec \"$LEAP\" pull Tiny:Q8_0)")
        let isWhole = try? Data(contentsOf: vendor.file) == vendor.model
        switch outcome.status {
        case ExitStatus.success: #expect(isWhole == true, "\(limit)")
        // The system could not start the program.
        case 127: #expect(outcome.errorText.contains("shared librar"), "\(limit): \(outcome.errorText)")
        default:
            #expect(outcome.status == ExitStatus.failure, "\(limit): \(outcome.status) \(outcome.errorText)")
            #expect(outcome.errorText.hasPrefix("error: "), "\(limit): \(outcome.errorText)")
            #expect(isWhole == nil, "\(limit)")
        }
        #expect(try await vendor.leap("pull", "Tiny:Q8_0").status == ExitStatus.success)
        #expect(try Data(contentsOf: vendor.file) == vendor.model)
    }

    @Test("Too few file descriptors cause an error, not a trap", arguments: [4, 6, 8, 12, 16, 17, 18, 20])
    func descriptors(count: Int) async throws {
        try await pull(limitedBy: "ulimit -n \(count)")
    }

    /// A debug build of the tool and its libraries take about 124 MB, a release build 107. If they just fit and nothing
    /// is left, Swift's runtime traps before the tool begins.
    @Test(
        "Too little address space causes an error, not a hang",
        arguments: [92, 104, 120, 150, 164, 180, 240, 320])
    func addressSpace(megabytes: Int) async throws {
        try await pull(limitedBy: "ulimit -v \(megabytes * 1000)")
    }

    /// Each thread's stack takes 8 MB, so some of these limits leave next to nothing behind the last stack.
    @Test("No limit on the address space is so unlucky that the tool traps")
    func addressSpaceBetween() async throws {
        let vendor = try await Vendor.open()
        let outcome = try await vendor.leap(
            bash: """
                for limit in $(seq 142000 100 150500); do
                    status=0
                    (ulimit -v $limit; exec "$LEAP" list >/dev/null 2>&1) || status=$?
                    [ $status -le 1 ] || [ $status = 127 ] || echo "ulimit -v $limit: $status"
                done
                """)
        #expect(outcome.text.isEmpty, "\(outcome.text)")
    }

    @Test(
        "leap-bench also reports an error if resources run out",
        arguments: ["ulimit -n 4", "ulimit -n 6", "ulimit -n 8"]
            + [92, 104, 116, 132, 156, 180].map { "ulimit -v \($0 * 1000)" })
    func bench(limit: String) async throws {
        let model = Fixture(name: "lfm2-chat-q8_0").path
        let outcome = try await Tool.leapBench.run(
            bash: "(\(limit); exec \"$LEAP\" -m '\(model)' -p 8 -n 2 -r 1 -t 1)")
        switch outcome.status {
        case ExitStatus.success: #expect(outcome.text.contains("pp8"), "\(limit)")
        case 127: #expect(outcome.errorText.contains("shared librar"), "\(limit): \(outcome.errorText)")
        default:
            #expect(outcome.status == ExitStatus.failure, "\(limit): \(outcome.status) \(outcome.errorText)")
            #expect(outcome.errorText.contains("error: "), "\(limit): \(outcome.errorText)")
        }
    }
    #endif

    @Test("A pipe in place of a manifest does not block leap list, and leap rm removes it")
    func pipe() async throws {
        let vendor = try await Vendor.open()
        #expect(try await vendor.leap("pull", "Tiny").status == ExitStatus.success)
        let folder = vendor.folder.url.appending(path: "leap_models/Planted/Q4_0")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try #require(mkfifo(folder.appending(path: "manifest.json").path, 0o666) == 0)
        let list = try await vendor.leap("list")
        #expect(list.status == ExitStatus.success && list.text.hasPrefix("Tiny:Q8_0 "), "\(list.errorText)")
        #expect(try await vendor.leap("rm", "Planted:Q4_0").status == ExitStatus.success)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("An unwritable folder is one error")
    func readOnly() async throws {
        let vendor = try await Vendor.open()
        let outcome = try await vendor.leap("pull", "Tiny:Q8_0", environment: ["LEAP_CACHE": "/proc/leap"])
        expectFailure(outcome, "/proc/leap/leap_models: cannot create the folder: ")
    }
}
