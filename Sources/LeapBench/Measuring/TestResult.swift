import Foundation
import LeapBlocks

/// The result of one test, with everything recorded about it.
struct TestResult {
    let model: ModelDescription
    let point: Grid.Point
    let kernels: KernelLevel
    /// The threads that computed; fewer than requested if the process may not use as many CPUs.
    let threadsUsed: Int
    let start: Date
    let measurement: Measurement
    let traffic: DecodeTraffic
    let work: ModelWork
    /// Bytes per second of passes of the read-only kernel around the test; empty for a prefill test.
    let bandwidth: [Double]
    /// The number of runnable threads in the minute before the measurements.
    var loadAverage: Double?
    /// The use of CPU time by others during the test.
    var cpuUse: CPUUse?
    /// The test's position relative to the machine's roofs, if they were measured.
    var rooflinePoint: Roofline.Point?

    /// Tokens per second.
    var rates: Statistics { Statistics(rateSamples) }
    var rateSamples: [Double] { measurement.seconds.map { $0 > 0 ? Double(point.test.tokens) / $0 : 0 } }

    var nanoseconds: Statistics { Statistics(nanosecondSamples) }
    var nanosecondSamples: [Double] { measurement.seconds.map { ($0 * 1e9).rounded() } }

    /// Bytes per second that a decoding test read, by its median; `nil` for a prefill test.
    var readRate: Double? { decodes ? rates.median * traffic.bytesPerToken(point.test) : nil }

    /// Bytes per second that this machine can read with the same number of threads.
    var readLimit: Double? { bandwidth.isEmpty ? nil : Statistics(bandwidth).median }

    /// The fraction of what the machine can read.
    var readShare: Double? {
        guard let readRate, let readLimit, readLimit > 0 else { return nil }
        return readRate / readLimit
    }

    /// Disturbances of the test. Cached weights may be read faster than memory, which is not a disturbance.
    var disturbances: [Disturbance] {
        let isInCache = traffic.weightBytes < Machine.lastLevelCache
        return Disturbance.found(cpuUse, limitShare: isInCache ? nil : readShare)
    }

    private var decodes: Bool { point.test.decodesOnly }
}

extension TestCase {
    /// Whether the test is memory-bound.
    var decodesOnly: Bool { promptTokens == 0 && generatedTokens > 0 }
}
