import ArgumentParser
import Foundation
import LeapBlocks
import LeapKernels
import LeapOps

/// What a forward pass computes with: threads and kernels.
struct ComputeOptions: ParsableArguments {
    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: "Threads that compute (default: the CPUs that this process may use).")
    var threads: Int?

    @Option(parsing: .unconditional, help: "Threads that compute prompts, if not as many (default: --threads).")
    var prefillThreads: Int?

    @Option(help: "Kernels: portable, x86-v3, x86-v4 or neon (default: LEAP_KERNELS, else the best that runs).")
    var kernels: String?

    func validate() throws {
        for (name, threads) in [("--threads", threads), ("--prefill-threads", prefillThreads)] {
            if let threads, threads < 1 { throw ValidationError("\(name) must be at least 1, not \(threads).") }
        }
        _ = try table()
    }

    /// Makes what the flags ask for.
    func makeCompute() throws -> Compute {
        Compute(kernels: try table(), threads: threads, prefillThreads: prefillThreads)
    }

    /// The kernels that the flag, or else the environment, names.
    func table() throws -> KernelTable {
        guard let name = kernels ?? ProcessInfo.processInfo.environment["LEAP_KERNELS"], !name.isEmpty else {
            return Kernels.best
        }
        let available = Kernels.available.map(\.level.rawValue).joined(separator: ", ")
        guard let level = KernelLevel(rawValue: name), let table = Kernels.table(for: level) else {
            throw ValidationError("kernels '\(name)' do not run on this machine. Available: \(available).")
        }
        return table
    }
}
