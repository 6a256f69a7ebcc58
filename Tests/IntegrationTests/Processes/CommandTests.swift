import Foundation
import Testing
import _LeapProcessTestSupport

/// The helper with which tests start processes: it returns the complete output, and leaves nothing open.
@Suite("Starting processes")
struct CommandTests {
    private func bash(_ line: String) -> Command { Command("/bin/bash", ["-c", line]) }

    @Test(
        "the status is the exit code, or the negated signal",
        arguments: [("exit 0", 0), ("exit 3", 3), ("kill -TERM $$", -SIGTERM), ("kill -KILL $$", -SIGKILL)])
    func status(line: String, status: Int32) async throws {
        #expect(try await bash(line).run().status == status)
    }

    @Test("both outputs are complete and separate, even beyond a pipe's capacity")
    func outputs() async throws {
        let outcome = try await bash("head -c 1000000 /dev/zero; echo done >&2").run()
        #expect(outcome.output == Data(count: 1_000_000))
        #expect(outcome.errorText == "done\n")
    }

    @Test("input is passed completely, and unread input is no error")
    func input() async throws {
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try await Command("/bin/cat").run(input: bytes).output == bytes)
        #expect(try await bash("exit 0").run(input: bytes).status == 0)
        #expect(try await Command("/bin/cat").run().output == Data())
    }

    @Test("output can go to a device")
    func device() async throws {
        let outcome = try await bash("echo into the void; echo but this not >&2").run(outputTo: "/dev/null")
        #expect(outcome.text == "" && outcome.errorText == "but this not\n")
    }

    @Test("the process gets the command's variables and folder")
    func environmentAndFolder() async throws {
        var command = bash("echo $LEAP_SEEN; pwd -P")
        command.environment["LEAP_SEEN"] = "a = b"
        command.folder = URL(filePath: "/")
        #expect(try await command.run().text == "a = b\n/\n")
    }

    @Test("a killed process is reaped, even if its children keep the pipes open")
    func killed() async throws {
        let start = ContinuousClock.now
        let outcome = try await bash("echo $$; sleep 20 & wait").run(killedAfter: .milliseconds(300))
        #expect(outcome.status == -SIGKILL && ContinuousClock.now - start < .seconds(60))
        let process = try #require(Int32(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Not even there as a zombie, which a signal would still reach.
        #expect(kill(process, 0) == -1)
    }

    @Test("the closure that runs meanwhile gets the process, and its error ends it")
    func meanwhile() async throws {
        let outcome = try await bash("sleep 100").run { kill($0, SIGTERM) }
        #expect(outcome.status == -SIGTERM)
        await #expect(throws: CancellationError.self) {
            try await bash("sleep 100").run { _ in throw CancellationError() }
        }
    }

    @Test("a missing program is an error that names it")
    func missing() async {
        await #expect {
            try await Command("/nowhere/tool").run()
        } throws: {
            "\($0)".contains("/nowhere/tool")
        }
    }

    @Test("50 processes that end, are killed or fail to start leave nothing open")
    func resources() async {
        await #expect(processExitsWith: .success) {
            let left = try await OpenResources.left(after: 50) {
                _ = try await Command("/bin/cat").run(input: Data("text".utf8))
                _ = try await Command("/bin/cat").run(outputTo: "/dev/null")
                _ = try await Command("/bin/sleep", ["100"]).run(killedAfter: .milliseconds(1))
                _ = try? await Command("/nowhere/tool").run()
            }
            #expect(left.isNothing, "\(left)")
        }
    }
}
