import Foundation
import LeapJSON
import Synchronization
import Testing

@testable import LeapHub

@Suite(.timeLimit(.minutes(5)))
struct TransferMeterTests {
    /// The fractions that a meter has reported.
    private final class Heard: Sendable {
        let fractions = Mutex<[Double]>([])
    }

    @Test func `Throttled progress is reported soon after`() async throws {
        let file = try #require(try Self.file())
        let heard = Heard()
        let meter = TransferMeter([file]) { progress in heard.fractions.withLock { $0.append(progress.fraction) } }
        for bytes in 1...50 { meter.set(file.name, bytes: Int64(bytes), arrived: 1) }
        // The server pauses: nothing more arrives.
        while heard.fractions.withLock({ $0.last }) != 0.5 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(heard.fractions.withLock { $0.count } < 50)
    }

    @Test func `No progress is reported after the end`() async throws {
        let file = try #require(try Self.file())
        let (heard, witness) = (Heard(), Heard())
        func meter(_ heard: Heard) -> TransferMeter {
            let meter = TransferMeter([file]) { progress in heard.fractions.withLock { $0.append(progress.fraction) } }
            meter.set(file.name, bytes: 1, arrived: 1)
            meter.set(file.name, bytes: 2, arrived: 1)
            return meter
        }
        meter(heard).end()
        // What this one withholds is due later than what the ended one would have reported.
        _ = meter(witness)
        while witness.fractions.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(heard.fractions.withLock { $0 } == [0.01])
    }

    private static func file() throws -> RemoteFile? {
        let manifest = try ModelManifest(
            json: ["load_time_parameters": ["model": "https://example.org/model.gguf"]],
            source: "https://example.org/manifest.json")
        guard let url = URL(string: "https://example.org/manifest.json") else { return nil }
        var file = try ResolvedManifest(manifest, from: url, policy: URLPolicy(trusted: [])).files.first
        file?.size = 100
        return file
    }
}
