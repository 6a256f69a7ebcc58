import LeapBlocks
import LeapOps
import LeapToolSupport

/// The peak rates of this machine for a number of threads, measured by our own kernels.
struct Peaks: Hashable {
    let threads: Int
    /// Bytes per second of a read-only loop over a buffer larger than all caches.
    let readRate: Double
    /// Multiply-adds of 32-bit floats per second, in registers.
    let floatRate: Double
    /// Multiply-adds of 8-bit integers per second, in registers; `nil` if the level has no instruction for them.
    let byteRate: Double?
}

extension Peaks {
    /// Measures with the threads of a pool: for arithmetic the best of a few runs, because every disturbance slows such
    /// a loop down; for memory, which is shared with neighbours, the median.
    static func measure(
        _ compute: Compute, bufferSize: Int = ReadBandwidth.largerThanCaches
    ) throws(CommandError) -> Peaks {
        let peaks = compute.kernels.peaks
        return Peaks(
            threads: compute.threads,
            readRate: Statistics(try ReadBandwidth.samples(compute, bufferSize: bufferSize)).median,
            floatRate: rate(of: peaks.floats, compute), byteRate: peaks.bytes.map { rate(of: $0, compute) })
    }

    private static func rate(of kernel: PeakKernel, _ compute: Compute) -> Double {
        compute.runPeak(kernel, rounds: rounds)
        let work = Double(rounds * kernel.multiplyAddsPerRound * compute.peakTasks)
        return (0..<repetitions).reduce(0) { best, _ in
            max(best, work / seconds { compute.runPeak(kernel, rounds: rounds) })
        }
    }

    /// About a millisecond per task.
    private static let rounds = 300_000
    private static let repetitions = 8
}
