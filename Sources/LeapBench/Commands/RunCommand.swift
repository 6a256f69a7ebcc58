import ArgumentParser

/// `leap-bench`, or `leap-bench run`: measures the speed of models.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measures the prefill of a prompt (pp) and the decoding of tokens (tg).",
        usage: "leap-bench run [-m <file>] [-p 512] [-n 128] [-d 0] [-t <threads>] [-r 5] [-o md|json|jsonl|csv] …",
        discussion: """
            Flags, tests and report fields are llama-bench's. Numbers may be given as lists (1,2,4), ranges (1-4, \
            512-2048*2) and repeated flags; every combination is measured. GB/s is what decoding reads, by the size of \
            the weights and of the keys and values; its limit is what a read-only kernel reads with as many threads.
            """)

    @OptionGroup var options: BenchOptions

    func run() throws {
        let models = options.models.isEmpty ? [try DefaultModel.path()] : options.models
        var bench = Bench(options: options, table: try options.table())
        try bench.run(models) { Console.write($0) }
    }
}
