import Foundation
import LeapJSON
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite(.timeLimit(.minutes(5)))
struct PullCommandTests {
    @Test("A model is pulled, listed, shown, run and removed")
    func lifecycle() async throws {
        let vendor = try await Vendor.open()
        #expect(try await vendor.leap("list").text == "")

        let before = try await vendor.leap("show", "Tiny:Q8_0")
        #expect(before.text.contains("not on this machine: leap pull Tiny:Q8_0"), "\(before.errorText)")

        let pull = try await vendor.leap("pull", "Tiny")
        #expect(pull.status == ExitStatus.success, "\(pull.errorText)")
        #expect(pull.text == vendor.file.path + "\n")
        #expect(try Data(contentsOf: vendor.file) == vendor.model)
        #expect(pull.errorText.contains("Tiny  100% ▕"), "\(pull.errorText)")
        #expect(!pull.errorText.contains("\u{1B}"))

        let list = try await vendor.leap("list")
        #expect(list.text.hasPrefix("Tiny:Q8_0  "))
        let show = try await vendor.leap("show", "Tiny")
        #expect(show.text.contains("file      tiny.gguf"), "\(show.text)")

        let requests = vendor.server.server.requests.count
        #expect(try await vendor.leap("pull", "Tiny:q8_0").status == ExitStatus.success)
        let answer = try await vendor.leap("run", "Tiny", "What is 7 + 5?", "-n", "4", "--temp", "0")
        #expect(answer.status == ExitStatus.success && !answer.text.isEmpty, "\(answer.errorText)")
        #expect(vendor.server.server.requests.count == requests)

        #expect(try await vendor.leap("rm", "Tiny").status == ExitStatus.success)
        #expect(!FileManager.default.fileExists(atPath: vendor.file.path))
        expectFailure(try await vendor.leap("rm", "Tiny"), "'Tiny' is not on this machine: see 'leap list'")
    }

    @Test("A model pulled from a manifest's URL can be used by its listed name")
    func manifest() async throws {
        let vendor = try await Vendor.open()
        let url = vendor.server.url("/hf/LiquidAI/LeapBundles/resolve/main/Tiny-GGUF/Q8_0.json").absoluteString
        #expect(try await vendor.leap("show", url).text.contains("not on this machine: leap pull \(url)"))
        expectFailure(try await vendor.leap("inspect", url), "'leap pull \(url)' downloads")
        // A lower-case name, unlike a quantisation's.
        let pulled = try JSONValue(parsing: try await vendor.leap("pull", url, "--json").text)
        let folder = URL(filePath: try #require(pulled["folder"]?.string))
        try FileManager.default.moveItem(at: folder, to: folder.deletingLastPathComponent().appending(path: "m"))
        let name = String(try #require(try await vendor.leap("list").text.split(separator: " ").first))
        #expect(name.hasSuffix(":m"))
        for command in ["show", "inspect", "pull"] {
            let outcome = try await vendor.leap(command, name)
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        }
        #expect(vendor.transfers.count == 1)
        #expect(try await vendor.leap("rm", name).status == ExitStatus.success)
        #expect(try await vendor.leap("list").text == "")
    }

    @Test("leap run pulls a missing model")
    func run() async throws {
        let vendor = try await Vendor.open()
        let answer = try await vendor.leap("run", "Tiny:Q8_0", "Hello", "-n", "4", "--json")
        #expect(answer.status == ExitStatus.success, "\(answer.errorText)")
        #expect(try JSONValue(parsing: answer.text)["text"]?.string?.isEmpty == false)
        #expect(vendor.transfers.count == 1)
    }

    @Test("pull, list, show and rm print JSON on request")
    func json() async throws {
        let vendor = try await Vendor.open()
        let pulled = try JSONValue(parsing: try await vendor.leap("pull", "Tiny", "--json").text)
        #expect(pulled["name"] == "Tiny:Q8_0")
        #expect(pulled["size"] == .integer(vendor.model.count))
        #expect(pulled["files"]?.array?.first?["path"]?.string == vendor.file.path)
        #expect(pulled["files"]?.array?.first?["sha256"]?.string?.count == 64)
        #expect(try JSONValue(parsing: try await vendor.leap("list", "--json").text).array == [pulled])
        #expect(try JSONValue(parsing: try await vendor.leap("show", "Tiny", "--json").text) == pulled)
        let other = try JSONValue(parsing: try await vendor.leap("rm", "Tiny", "--json").text)
        #expect(other == ["name": "Tiny:Q8_0", "size": .integer(vendor.model.count)])
        let shown = try JSONValue(parsing: try await vendor.leap("show", "Tiny:Q8_0", "--json").text)
        #expect(shown["folder"] == .null && shown["files"]?.array?.first?["size"] == .integer(vendor.model.count))
    }

    /// Starts a pull from a server that stalls after a number of bytes, and ends it by a signal.
    private func interrupted(
        at count: Int, by signal: Int32
    ) async throws -> (vendor: Vendor, outcome: Tool.Outcome) {
        let model = try Data(contentsOf: URL(filePath: Fixture(name: "leap-tiny/leap-tiny-q8_0").path))
        let slow = try await Vendor.open { request, connection in
            guard request.path == Vendor.path, request.method == "GET", request.rangeStart == nil else { return false }
            try await connection.respond(
                headers: ["Content-Length": "\(model.count)", "ETag": "\"v1\""], omitsBody: true)
            try await connection.write(model.prefix(count))
            await connection.waitForClose()
            return true
        }
        let incomplete = slow.file.appendingPathExtension("incomplete")
        let outcome = try await Tool.leap.run(["pull", "Tiny:Q8_0"], environment: slow.environment) { process in
            while (try? Data(contentsOf: incomplete).count) ?? 0 < count {
                try await Task.sleep(for: .milliseconds(10))
            }
            kill(process, signal)
        }
        return (slow, outcome)
    }

    @Test("A killed download resumes where it stopped", arguments: [1, 1_000_000, 3_000_000])
    func killed(at count: Int) async throws {
        let slow = try await interrupted(at: count, by: SIGKILL).vendor
        #expect(!FileManager.default.fileExists(atPath: slow.file.path))
        let list = try await slow.leap("list").text
        #expect(list.hasPrefix("Tiny:Q8_0  ") && list.hasSuffix("leap_models/Tiny/Q8_0  (incomplete)\n"), "\(list)")

        let outcome = try await slow.leap("pull", "Tiny:Q8_0")
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(try Data(contentsOf: slow.file) == slow.model)
        #expect(slow.transfers.map(\.rangeStart) == [nil, count])
        #expect(slow.transfers.last?.headers["if-range"] == "\"v1\"")
    }

    @Test(
        "An interrupted download is listed and removed, with and without its quantisation",
        arguments: ["Tiny", "Tiny:Q8_0"])
    func removed(name: String) async throws {
        let slow = try await interrupted(at: 1_000_000, by: SIGKILL).vendor
        let list = try JSONValue(parsing: try await slow.leap("list", "--json").text).array?.first
        #expect(list?["name"] == "Tiny:Q8_0" && list?["incomplete"] == true && list?["files"]?.array?.isEmpty == true)
        // The record of what the bytes belong to is counted as well.
        guard case .integer(let size)? = list?["size"] else {
            Issue.record("found \(String(describing: list))")
            return
        }
        #expect(1_000_000...1_010_000 ~= size)
        let removed = try JSONValue(parsing: try await slow.leap("rm", name, "--json").text)
        #expect(removed == ["name": "Tiny:Q8_0", "size": .integer(size)])
        #expect(try await slow.leap("list").text == "")
        #expect(!FileManager.default.fileExists(atPath: slow.file.deletingLastPathComponent().path))
    }

    @Test("Ctrl-C keeps the partial download and exits with code 130")
    func interrupted() async throws {
        let (slow, outcome) = try await interrupted(at: 1_000_000, by: SIGINT)
        #expect(outcome.status == 130)
        #expect(try await slow.leap("pull", "Tiny:Q8_0").status == ExitStatus.success)
        #expect(try Data(contentsOf: slow.file) == slow.model)
        #expect(slow.transfers.map(\.rangeStart) == [nil, 1_000_000])
    }

    @Test("A file size limit causes one error, and the next pull is complete", arguments: [0, 1, 64, 1024])
    func noRoom(kibibytes: Int) async throws {
        let vendor = try await Vendor.open()
        // The limit does not apply to the pipes that the tool prints to.
        let outcome = try await vendor.leap(
            bash: "trap '' XFSZ; ulimit -f \(kibibytes); exec \"$LEAP\" pull Tiny:Q8_0")
        expectFailure(outcome, "cannot write: File too large")
        #expect(!FileManager.default.fileExists(atPath: vendor.file.path))
        let left = try FileManager.default.contentsOfDirectory(atPath: vendor.file.deletingLastPathComponent().path)
        #expect(left == [])
        #expect(try await vendor.leap("pull", "Tiny:Q8_0").status == ExitStatus.success)
        #expect(try Data(contentsOf: vendor.file) == vendor.model)
    }

    @Test("Two processes that pull the same model download it once")
    func twoProcesses() async throws {
        let vendor = try await Vendor.open { request, _ in
            if request.path == Vendor.path, request.method == "GET" { try await Task.sleep(for: .milliseconds(500)) }
            return false
        }
        async let first = vendor.leap("pull", "Tiny:Q8_0")
        async let second = vendor.leap("pull", "Tiny:Q8_0")
        let outcomes = try await [first, second]
        #expect(outcomes.allSatisfy { $0.status == ExitStatus.success && $0.text == vendor.file.path + "\n" })
        #expect(vendor.transfers.count == 1)
        #expect(try Data(contentsOf: vendor.file) == vendor.model)
    }

    @Test("Without network access a missing model is an error")
    func offline() async throws {
        let vendor = try await Vendor.open()
        let message = "the model 'Tiny:Q8_0' is not on this machine, and network access is disabled"
        expectFailure(try await vendor.leap("pull", "Tiny:Q8_0", "--offline"), message)
        expectFailure(try await vendor.leap("pull", "Tiny:Q8_0", environment: ["HF_HUB_OFFLINE": "1"]), message)
        #expect(vendor.server.server.requests.isEmpty)
    }

    @Test("rm requires a quantisation if there are several")
    func ambiguous() async throws {
        let vendor = try await Vendor.open()
        #expect(try await vendor.leap("pull", "Tiny").status == ExitStatus.success)
        let folder = vendor.file.deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: folder, to: folder.deletingLastPathComponent().appending(path: "Q4_0"))
        expectUsageError(
            try await vendor.leap("rm", "Tiny"), "'Tiny' is ambiguous: give one of Tiny:Q4_0, Tiny:Q8_0.")
        #expect(try await vendor.leap("rm", "Tiny:Q4_0").status == ExitStatus.success)
        #expect(try await vendor.leap("list").text.hasPrefix("Tiny:Q8_0 "))
    }
}
