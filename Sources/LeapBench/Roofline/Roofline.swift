import Foundation
import LeapBlocks

/// The machine's limits, and each test's position relative to them.
///
/// A test that does `w` multiply-adds and reads `b` bytes takes at least `w / peak` and at least `b / bandwidth` seconds,
/// so its rate is below both roofs. Source: Williams, Waterman and Patterson 2009, "Roofline: an insightful visual
/// performance model for multicore architectures".
struct Roofline: Hashable {
    let kernels: KernelLevel
    /// For 1 to all threads.
    let peaks: [Peaks]

    /// The roofs for a number of threads, or else for the most that were measured.
    func peaks(threads: Int) -> Peaks? { peaks.first { $0.threads == threads } ?? peaks.last }

    /// A test's position below the roofs.
    struct Point: Hashable {
        /// Multiply-adds per byte.
        let intensity: Double
        /// Multiply-adds per second.
        let rate: Double
        /// The fraction of the read bandwidth, for tests that decode.
        let readShare: Double?
        /// The fraction of the peak rate of the arithmetic that the model's products use.
        let peakShare: Double?
    }

    /// The position of a result; `nil` for one that took no time.
    func point(_ result: TestResult) -> Point? {
        let test = result.point.test
        let seconds = result.nanoseconds.median * 1e-9
        guard seconds > 0, let peaks = peaks(threads: result.threadsUsed) else { return nil }
        let work = result.work.multiplyAdds(test)
        let bytes = result.bytes
        let peak = result.work.isQuantized ? peaks.byteRate : peaks.floatRate
        return Point(
            intensity: work / bytes, rate: work / seconds,
            readShare: test.decodesOnly ? bytes / seconds / peaks.readRate : nil,
            peakShare: peak.map { work / seconds / $0 })
    }
}

extension Roofline {
    /// The roofs and the tests' fractions of them, as text.
    func text(_ results: [TestResult]) -> String {
        var roofs = TextTable([
            .right("threads", 7), .right("read GB/s", 9), .right("f32 GMAC/s", 10), .right("int8 GMAC/s", 11),
        ])
        for peaks in peaks {
            roofs.add([
                "\(peaks.threads)", Self.billions(peaks.readRate), Self.billions(peaks.floatRate),
                peaks.byteRate.map(Self.billions) ?? "none",
            ])
        }
        let title = "\nMeasured peak rates of this machine with kernels \(kernels.rawValue)\n\n"
        return title + roofs.text + (results.isEmpty ? "" : "\n" + shares(results).text)
    }

    private func shares(_ results: [TestResult]) -> TextTable {
        var table = TextTable([
            .left("test", 15), .right("threads", 7), .right("GMAC/s", 7), .right("MAC/byte", 8),
            .right("of read", 7), .right("of peak", 7), .left("peak", 4),
        ])
        for result in results {
            guard let point = point(result) else { continue }
            table.add([
                result.point.test.name, "\(result.threadsUsed)", Self.billions(point.rate),
                String(format: "%.1f", point.intensity), point.readShare.map(Self.percent) ?? "",
                point.peakShare.map(Self.percent) ?? "", result.work.isQuantized ? "int8" : "f32",
            ])
        }
        return table
    }

    private static func billions(_ rate: Double) -> String { String(format: "%.1f", rate / 1e9) }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
}

extension TestResult {
    /// Bytes that the test must read: the weights for every pass, plus keys and values for every decoded token. Those
    /// of a prompt's own tokens are omitted, because passes share them.
    var bytes: Double {
        let test = point.test
        let prompt = stride(from: 0, to: test.promptTokens, by: point.rows).reduce(0.0) { sum, start in
            sum + traffic.weightBytes(ofRows: min(point.rows, test.promptTokens - start))
        }
        return prompt + Double(test.generatedTokens * test.sequences) * traffic.bytesPerToken(test)
    }
}
