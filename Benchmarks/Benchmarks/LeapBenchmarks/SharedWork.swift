import LeapBlocks
import LeapKernels
import LeapOps

/// What it costs to share work: from handing out an operation whose tasks do nothing to the end of the last task. A
/// token is some hundred such operations.
func registerSharedWork() {
    for threads in 1...Compute().threads {
        measure(["pool", "operation", "\(threads)t"], Work()) {
            let compute = Compute(threads: threads)
            let nothing = Kernels.best.peaks.floats
            return Iteration { compute.runPeak(nothing, rounds: 0) }
        }
    }
}
