import LeapBlocks
import LeapKernels
import LeapOps

/// The overhead of sharing work: from starting an operation whose tasks do nothing to the end of the last task. A token
/// takes some hundred such operations.
func registerSharedWork() {
    for threads in 1...Compute().threads {
        measure(["pool", "operation", "\(threads)t"], Work()) {
            let compute = Compute(threads: threads)
            let nothing = Kernels.best.peaks.floats
            return Iteration { compute.runPeak(nothing, rounds: 0) }
        }
    }
}
