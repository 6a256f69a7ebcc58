import ArgumentParser
import LeapBlocks
import LeapOps
import LeapToolSupport

/// `leap-bench`, or `leap-bench run`: measures the speed of models.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measures the prefill of a prompt (pp) and the decoding of tokens (tg).",
        usage: "leap-bench run [-m <model>] [-p 512] [-n 128] [-d 0] [-t <threads>] [-r 5] [-o md|json|csv|sql|…] …",
        discussion: """
            Flags, tests and report fields match llama-bench's. Numbers may be given as lists (1,2,4), ranges (1-4, \
            512-2048*2) and repeated flags; every combination is measured. GB/s is the memory read rate of decoding, \
            computed from the size of the weights and the KV cache; its limit is the rate of a read-only kernel with \
            the same number of threads. Flags of llama-bench that have no effect on a CPU are accepted with a note; \
            --help-hidden lists them.

            --compare reads the output of -o json or -o jsonl, or lines such as {"test": "pp512", "ts": [101.5, 102.1]} \
            from any other program, and reports which differences are statistically significant.
            """)

    @OptionGroup var options: BenchOptions

    func run() throws {
        guard options.compare.isEmpty else { return try compare(options.compare[0], options.compare[1]) }
        guard !options.foreign.listsDevices else { return Console.write(try deviceList()) }
        if let text = options.foreign.note { note(text) }
        var bench = Bench(options: options, table: try options.table())
        if let columns = Console.outputColumns { bench.tableWidth = min(MarkdownReport.width, columns) }
        try bench.run(models(), writeError: Console.status, warn: note, write: Console.write)
    }

    /// Prints a note on standard error, unless a program reads a report there.
    private func note(_ text: String) {
        if !options.report.isErrorForPrograms { Console.error(text) }
    }

    private func deviceList() throws -> String {
        let level = try options.table().level.rawValue
        return "Available devices:\n  CPU: \(Machine.processor) (\(CPUCount.permitted) threads, kernels \(level))\n"
    }

    private func models() throws -> [String] {
        let names = try options.modelNames.map { try ModelName($0) } + options.repositoryModels
        guard names.isEmpty, !options.measuresMachineAlone else {
            let hub = options.hub
            return try Blocking.wait {
                var paths: [String] = []
                for name in names { paths.append(try await hub.bring(name).path) }
                return paths
            }
        }
        return [try StandInModel.path { note($0) }]
    }

    private func compare(_ first: String, _ second: String) throws {
        let comparison = try Comparison(RecordedTest.read(first), RecordedTest.read(second))
        Console.write(comparison.text(first, second))
    }
}
