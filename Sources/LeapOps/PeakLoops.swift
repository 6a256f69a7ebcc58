public import LeapBlocks

// How much arithmetic the CPU does at most: the bound of prefill.

extension Compute {
    /// Runs a loop of nothing but arithmetic on all threads.
    ///
    /// - Parameter rounds: Rounds of each of ``peakTasks`` loops.
    public func runPeak(_ kernel: PeakKernel, rounds: Int) {
        exclusively {
            pool.activate(threads)
            scratch.scope {
                // Small numbers, far from overflow and from denormal results.
                let operand = scratch.array(of: Float.self, count: 16)
                operand.initialize(repeating: 0.5, count: 16)
                let sums = scratch.array(of: Float.self, count: threads * PeakLoops.stride)
                let work = PeakLoops(kernel: kernel.run, operand: UnsafeRawPointer(operand), rounds: rounds, sums: sums)
                pool.run(work, count: peakTasks, tasks: peakTasks)
            }
        }
    }

    /// Tasks of ``runPeak(_:rounds:)``: several for each thread, so that a disturbed one holds nobody up for long.
    public var peakTasks: Int { 8 * threads }
}

private struct PeakLoops: ParallelWork {
    /// Floats from one worker's result to the next's: a pair of cache lines.
    static let stride = 32

    let kernel: PeakKernel.Loop
    let operand: UnsafeRawPointer
    let rounds: Int
    let sums: UnsafeMutablePointer<Float>

    func run(_ range: Range<Int>, worker: Int) {
        for _ in range { sums[worker * Self.stride] = kernel(operand, rounds) }
    }
}
