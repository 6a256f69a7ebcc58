import ArgumentParser
package import LeapOps

/// The resources of a forward pass: threads and kernels.
package struct ComputeFlags: ParsableArguments {
    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: "Number of threads (default, or -1: the CPUs available to this process).")
    private var threads: Int?

    @Option(
        name: [
            .customLong("tb", withSingleDash: true), .customLong("threads-batch"), .customLong("prefill-threads"),
        ], parsing: .unconditional, help: "Number of threads for prefill (default: same as --threads).")
    private var prefillThreads: Int?

    @OptionGroup private var kernels: KernelFlags

    /// Flags with their default values.
    package init() {}

    /// Validates the numbers.
    package func validate() throws {
        try Self.validate(threads, "--threads")
        try Self.validate(prefillThreads, "--threads-batch")
    }

    /// Makes the `Compute` that the flags specify.
    package func makeCompute() throws -> Compute {
        Compute(
            kernels: try kernels.table(), threads: Self.count(threads), prefillThreads: Self.count(prefillThreads))
    }

    /// Validates a number of threads.
    package static func validate(_ threads: Int?, _ name: String) throws {
        guard let threads, threads < -1 else { return }
        throw ValidationError("\(name) must be at least 1, or -1 for the default, not \(threads).")
    }

    /// The number of threads; `nil` for the default, which is 0 or -1 in llama.cpp's tools.
    package static func count(_ threads: Int?) -> Int? { threads.flatMap { $0 > 0 ? $0 : nil } }
}
