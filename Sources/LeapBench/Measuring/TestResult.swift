import Foundation
import LeapBlocks

/// Everything that is known of one test after it.
struct TestResult {
    let model: ModelDescription
    let point: Grid.Point
    let kernels: KernelLevel
    /// Threads that computed: fewer than asked for where the process may not use as many CPUs.
    let threadsUsed: Int
    let start: Date
    let measurement: Measurement
    let traffic: DecodeTraffic
    let work: ModelWork
    /// Bytes per second of passes of the read-only kernel around the test; none for a test that prefills.
    let bandwidth: [Double]
    /// Threads that wanted to compute in the minute before anything was measured.
    var loadAverage: Double?
    /// How the CPUs' time went besides, while this was measured.
    var cpuUse: CPUUse?
    /// Where the test stands below the machine's roofs, if they were measured.
    var rooflinePoint: Roofline.Point?

    /// Tokens per second.
    var rates: Statistics { Statistics(rateSamples) }
    var rateSamples: [Double] { measurement.seconds.map { $0 > 0 ? Double(point.test.tokens) / $0 : 0 } }

    var nanoseconds: Statistics { Statistics(nanosecondSamples) }
    var nanosecondSamples: [Double] { measurement.seconds.map { ($0 * 1e9).rounded() } }

    /// Bytes per second that a decoding test read, by its median; `nil` for a test that prefills.
    var readRate: Double? { decodes ? rates.median * traffic.bytesPerToken(point.test) : nil }

    /// Bytes per second that this machine can read with as many threads.
    var readLimit: Double? { bandwidth.isEmpty ? nil : Statistics(bandwidth).median }

    /// The share of what the machine can read.
    var readShare: Double? {
        guard let readRate, let readLimit, readLimit > 0 else { return nil }
        return readRate / readLimit
    }

    /// What makes the figures doubtful. Weights that the caches hold are read faster than memory can, which is no fault.
    var disturbances: [Disturbance] {
        let isInCache = traffic.weightBytes < Machine.lastLevelCache
        return Disturbance.found(cpuUse, limitShare: isInCache ? nil : readShare)
    }

    private var decodes: Bool { point.test.decodesOnly }
}

extension TestCase {
    /// Whether the test is bounded by reading memory.
    var decodesOnly: Bool { promptTokens == 0 && generatedTokens > 0 }
}
