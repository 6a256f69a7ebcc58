import Foundation
import LeapModels
import Testing
import _LeapHTTPTestSupport
import _LeapProcessTestSupport
import _LeapTestSupport

/// `leap pull` with servers that misbehave.
@Suite(.timeLimit(.minutes(5)))
struct PullFaultTests {
    /// How a server responds to requests for the model's bytes.
    enum Fault: String, CaseIterable, Sendable {
        case cutAtEveryThird, ignoresRanges, wrongRange, changedTag, busyTwice
        case gone, gated, broken, tooLong, tooShort, compressed, page, wrongHash, loop, toMetadata, toFile
    }

    /// The error of `leap pull`; nil if it succeeds.
    private func message(_ fault: Fault) -> String? {
        switch fault {
        case .cutAtEveryThird, .ignoresRanges, .wrongRange, .changedTag, .busyTwice: nil
        case .gone: "not found (404)"
        case .gated: "access denied (403): accept the conditions"
        case .broken: "the server responded with status 500: out of order"
        case .tooLong, .tooShort: "bytes, found"
        case .compressed: "expected unencoded content, found 'gzip' encoding"
        case .page: "expected a model file, found an HTML page"
        case .wrongHash: "expected SHA-256 \(String(repeating: "a", count: 64)), found "
        case .loop: "was not followed: more than 5 redirects"
        case .toMetadata: "the redirect to http://169.254.169.254/ was not followed: it is a link-local address"
        case .toFile: "the redirect to file:///etc/passwd was not followed: only https is allowed"
        }
    }

    @Test("Every fault ends in the complete model or in one error, never in a partial model", arguments: Fault.allCases)
    func fault(_ fault: Fault) async throws {
        let attempts = AttemptCounter()
        let vendor = try await Vendor.open(announcing: try announced(fault)) { request, connection in
            guard request.path == Vendor.path, request.method == "GET" else { return false }
            return try await misbehave(fault, await attempts.next(), request, connection)
        }
        let outcome = try await vendor.leap("pull", "Tiny:Q8_0")
        if let message = message(fault) {
            expectFailure(outcome, message)
            #expect(!outcome.errorText.contains("hf_secret"))
            #expect(!FileManager.default.fileExists(atPath: vendor.file.path))
            #expect(try await vendor.leap("list").text == "")
        } else {
            #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
            #expect(try Data(contentsOf: vendor.file) == vendor.model)
        }
    }

    /// What the server states about the model before its download.
    private func announced(_ fault: Fault) throws -> [String: String] {
        switch fault {
        case .wrongHash: ["X-Linked-Etag": String(repeating: "a", count: 64)]
        case .tooLong, .tooShort:
            [
                "X-Linked-Size":
                    "\(try Data(contentsOf: URL(filePath: Fixture(name: "leap-tiny/leap-tiny-q8_0").path)).count)"
            ]
        default: [:]
        }
    }

    private func misbehave(
        _ fault: Fault, _ attempt: Int, _ request: ServerRequest, _ connection: ServerConnection
    ) async throws -> Bool {
        let model = try Data(contentsOf: URL(filePath: Fixture(name: "leap-tiny/leap-tiny-q8_0").path))
        let file = ServedFile(model)
        switch fault {
        case .cutAtEveryThird: try await connection.serve(file, to: request, cut: model.count / 3 + 1)
        case .ignoresRanges:
            try await connection.serve(file, to: request, cut: attempt == 0 ? 200_000 : nil, knowsRanges: false)
        case .wrongRange where attempt == 0, .changedTag where attempt == 0:
            let tag = fault == .changedTag ? "\"v0\"" : "\"v1\""
            try await connection.serve(ServedFile(model, tag: tag), to: request, cut: 200_000)
        case .wrongRange where request.rangeStart != nil:
            try await connection.respond(206, headers: ["Content-Range": "bytes 0-9/10"], text: "0123456789")
        case .busyTwice where attempt < 2: try await connection.respond(503, headers: ["Retry-After": "0"])
        case .wrongRange, .changedTag, .busyTwice, .wrongHash: return false
        case .gone: try await connection.respond(404)
        case .gated: try await connection.respond(403)
        case .broken: try await connection.respond(500, headers: ["Retry-After": "7200"], text: "out of order")
        case .tooLong: try await connection.respond(body: model + Data("surplus".utf8))
        case .tooShort: try await connection.respond(body: model.dropLast(7))
        case .compressed: try await connection.respond(headers: ["Content-Encoding": "gzip"], body: model)
        case .page: try await connection.respond(headers: ["Content-Type": "text/html"], text: "<html>")
        case .loop: try await connection.respond(302, headers: ["Location": Vendor.path])
        case .toMetadata: try await connection.respond(302, headers: ["Location": "http://169.254.169.254/"])
        case .toFile: try await connection.respond(302, headers: ["Location": "file:///etc/passwd"])
        }
        return true
    }

    @Test("A model of an unsupported architecture is rejected after one request, except with --force")
    func unsupported() async throws {
        let vendor = try await Vendor.open(model: ServedFile.model(size: 100_000, architecture: "mamba2"))
        let message = "architecture 'mamba2' is not supported. Supported: \(LanguageModel.supportedArchitectures[0]), "
        expectFailure(try await vendor.leap("pull", "Tiny:Q8_0"), message)
        expectFailure(try await vendor.leap("run", "Tiny:Q8_0", "Hello"), message)
        #expect(vendor.transfers.count == 2)
        #expect(try await vendor.leap("list").text == "")
        #expect(try await vendor.leap("pull", "Tiny:Q8_0", "--force").status == ExitStatus.success)
        #expect(try Data(contentsOf: vendor.file) == vendor.model)
    }

    /// The pauses between the six attempts that a failure which may pass is worth: ½ + 1 + 2 + 4 + 8 seconds.
    private static let allPauses = Duration.seconds(15.5)

    @Test("An unknown host is one error", arguments: ["hf:owner/name", "Tiny:Q8_0"])
    func unknownHost(name: String) async throws {
        let nowhere = ["HF_ENDPOINT": "http://nowhere.invalid", "LEAP_REGISTRY": "http://nowhere.invalid"]
        let vendor = try await Vendor.open()
        expectFailure(
            try await vendor.leap("pull", name, environment: nowhere), "host 'nowhere.invalid' not found")
    }

    @Test("A refused connection is one error, without all retries", arguments: ["hf:owner/name", "Tiny:Q8_0"])
    func refused(name: String) async throws {
        let vendor = try await Vendor.open()
        await vendor.server.server.stop()
        var outcome: Tool.Outcome?
        let time = try await ContinuousClock().measure { outcome = try await vendor.leap("pull", name) }
        expectFailure(try #require(outcome), "connection refused: nothing is listening on this port")
        #expect(time < Self.allPauses)
    }

    @Test("The error for an unknown name suggests the nearest and lists the available ones")
    func unknown() async throws {
        let vendor = try await Vendor.open()
        expectFailure(
            try await vendor.leap("pull", "Tinny:Q8_0"),
            "model 'Tinny' not found. Did you mean 'Tiny'? Available: Tiny, Other")
        expectFailure(
            try await vendor.leap("pull", "Tiny:Q9_0"),
            "model 'Tiny' has no quantisation 'Q9_0'. Did you mean 'Q8_0'? Available: Q8_0")
        expectFailure(try await vendor.leap("run", "Tinny", "Hello"), "model 'Tinny' not found")
    }
}

private actor AttemptCounter {
    private var count = 0

    func next() -> Int {
        count += 1
        return count - 1
    }
}
