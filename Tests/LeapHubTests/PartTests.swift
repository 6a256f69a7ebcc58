import Foundation
import LeapHTTP
import Testing

@testable import LeapHub

/// Small helpers on their own.
struct PartTests {
    @Test(arguments: [
        ("bytes 0-9/10", true), ("bytes 0-9/*", false), ("bytes 0-8/10", false), ("bytes 1-9/10", false),
        ("bytes 0-9/11", false), ("Bytes 0-9/10", false), ("bytes 9-0/10", false), ("bytes 0-9/9", false),
        (" bytes 0-9/10", false), ("bytes 0-9/10 ", false), ("bytes -0-9/10", false),
    ])
    func `Only a Content-Range of the exact remainder is accepted`(text: String, isRest: Bool) {
        #expect((ContentRange(text)?.isRest(from: 0, size: 10) ?? false) == isRest)
    }

    @Test(arguments: [
        ("https://h/owner%2Fname/x%2By/a.gguf?q=1", "b c+d.gguf", "https://h/owner%2Fname/x%2By/b%20c%2Bd.gguf?q=1"),
        ("https://h/a.gguf", "b.gguf", "https://h/b.gguf"),
    ])
    func `Replacing the last component keeps the encoding of the rest`(url: String, name: String, other: String)
        throws
    {
        #expect(try #require(URL(string: url)).replacingLastComponent(by: name).absoluteString == other)
    }

    @Test func `A cancelled task hashes no file to its end, and keeps what has arrived`() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "leap-part-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = try #require(try Folder.open(in: root, creates: true))
        let name = try FileName("m.gguf")
        try folder.write(Data(count: 5000), to: PartialFile.temporaryName(name))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try folder.sha256(of: PartialFile.temporaryName(name))
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try folder.sha256(of: PartialFile.temporaryName(name)) != nil)
        let partial = try #require(try PartialFile.open(name, in: folder))
        #expect(partial.count == 0 && !partial.isEmpty)
    }

    @Test func `Retry pauses double up to a maximum, with random jitter`() {
        let policy = RetryPolicy(attempts: 5, firstPause: .seconds(1), longestPause: .seconds(10))
        for (failures, seconds) in [(1, 1.0), (2, 2), (3, 4), (4, 8), (5, 10), (60, 10)] {
            let pauses = (0..<20).map { _ in policy.pause(after: failures) }
            #expect(pauses.allSatisfy { $0 >= .seconds(seconds) && $0 <= .seconds(seconds * 1.25) })
            #expect(Set(pauses).count > 1)
        }
    }

    @Test(arguments: [
        ("LFM2-1.2B-Q4_K_M.gguf", "Q4_K_M"), ("model.q8_0.gguf", "Q8_0"), ("m-IQ4_XS-00001-of-00003.gguf", "IQ4_XS"),
        ("m-bf16.gguf", "BF16"), ("LFM2-1.2B.gguf", nil), ("Qwen.gguf", nil), ("m-MXFP4.gguf", "MXFP4"), (".gguf", nil),
    ])
    func `The quantisation is read from the end of a file name`(name: String, quantization: String?) {
        #expect(Quantization.named(in: name) == quantization)
    }

    @Test func `Too few bytes in a time window are a stall, and enough start a new window`() {
        let start = ContinuousClock.now
        var configuration = HubConfiguration(models: URL(filePath: "/nowhere"))
        configuration.timeouts.idle = .seconds(10)
        configuration.minimumRate = 100
        var watch = StallWatch(configuration, now: start)
        #expect(watch.check(adding: 1, name: "u", at: start + .seconds(9)) == nil)
        #expect(watch.check(adding: 999, name: "u", at: start + .seconds(10)) == nil)
        #expect(watch.check(adding: 999, name: "u", at: start + .seconds(19)) == nil)
        #expect(
            watch.check(adding: 0, name: "u", at: start + .seconds(20)) == .stalled("u", bytes: 999, .seconds(10)))
        configuration.timeouts.idle = nil
        watch = StallWatch(configuration, now: start)
        #expect(watch.check(adding: 0, name: "u", at: start + .seconds(1000)) == nil)
    }

    @Test func `Progress computes its fraction and the remaining time`() {
        let progress = TransferProgress(bytes: 250, total: 1000, bytesPerSecond: 50)
        #expect(progress.fraction == 0.25)
        #expect(progress.remaining == .seconds(15))
        #expect(TransferProgress(bytes: 5, total: nil, bytesPerSecond: 50).fraction == 0)
        #expect(TransferProgress(bytes: 5, total: nil, bytesPerSecond: 50).remaining == nil)
        #expect(TransferProgress(bytes: 5, total: 10, bytesPerSecond: 0).remaining == nil)
        #expect(TransferProgress(bytes: 0, total: 0, bytesPerSecond: 0).fraction == 1)
    }

    @Test func `The transfer rate is that of the last seconds`() {
        var rate = TransferRate()
        let start = ContinuousClock.now
        for second in 0..<20 { rate.add(second < 10 ? 1000 : 100, at: start + .seconds(second)) }
        #expect(rate.bytesPerSecond(at: start + .seconds(20)) == 100)
        #expect(rate.bytesPerSecond(at: start + .seconds(60)) == 0)
    }
}
