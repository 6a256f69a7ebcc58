public import LeapBlocks

// The CPU's peak arithmetic rate, which bounds prefill.

extension Compute {
    /// Runs a loop of pure arithmetic on all threads.
    ///
    /// - Parameter rounds: Rounds of each of ``peakTasks`` loops.
    public func runPeak(_ kernel: PeakKernel, rounds: Int) {
        exclusively {
            pool.activate(threads)
            scratch.scope {
                // Small numbers, far from overflow and from subnormal results.
                let operand = scratch.array(of: Float.self, count: 16)
                operand.initialize(repeating: 0.5, count: 16)
                let sums = scratch.array(of: Float.self, count: threads * PeakLoops.stride)
                let work = PeakLoops(kernel: kernel.run, operand: UnsafeRawPointer(operand), rounds: rounds, sums: sums)
                pool.run(work, count: peakTasks, tasks: peakTasks)
            }
        }
    }

    /// Tasks of ``runPeak(_:rounds:)``: several per thread, so that a disturbed one does not delay the others for long.
    public var peakTasks: Int { 8 * threads }
}

private struct PeakLoops: ParallelWork {
    /// Floats between the results of two workers: a pair of cache lines.
    static let stride = 32

    let kernel: PeakKernel.Loop
    let operand: UnsafeRawPointer
    let rounds: Int
    let sums: UnsafeMutablePointer<Float>

    func run(_ range: Range<Int>, worker: Int) {
        for _ in range { sums[worker * Self.stride] = kernel(operand, rounds) }
    }
}
