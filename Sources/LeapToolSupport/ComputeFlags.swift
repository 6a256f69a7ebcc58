import ArgumentParser
package import LeapOps

/// The resources of a forward pass: threads and kernels.
package struct ComputeFlags: ParsableArguments {
    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: "Threads that compute (default: the CPUs that this process may use).")
    private var threads: Int?

    @Option(
        name: [
            .customLong("tb", withSingleDash: true), .customLong("threads-batch"), .customLong("prefill-threads"),
        ], parsing: .unconditional, help: "Threads that compute prompts (default: as --threads).")
    private var prefillThreads: Int?

    @OptionGroup private var kernels: KernelFlags

    /// Flags with their default values.
    package init() {}

    /// Validates the numbers.
    package func validate() throws {
        for (name, threads) in [("--threads", threads), ("--threads-batch", prefillThreads)] {
            if let threads, threads < 1 { throw ValidationError("\(name) must be at least 1, not \(threads).") }
        }
    }

    /// Makes the `Compute` that the flags specify.
    package func makeCompute() throws -> Compute {
        Compute(kernels: try kernels.table(), threads: threads, prefillThreads: prefillThreads)
    }
}
