/// All combinations to measure of one model, in llama-bench's order: by batch, chunk, threads and depth, prompts first.
struct Grid {
    /// Tokens that are passed at a time; empty for as many as a pass computes.
    var batches: [Int] = []
    /// Rows of the largest pass, out of the tokens that are passed together.
    var chunks: [Int]
    var threads: [Int]
    var depths: [Int]
    /// Prompt lengths of `pp` tests; 0 for none.
    var prompts: [Int]
    /// Generation lengths of `tg` tests; 0 for none.
    var generations: [Int]
    /// Prompts with generations that follow them.
    var combinations: [PromptAndGeneration] = []
    /// Numbers of sequences that decode together, for `tg` tests.
    var parallel = [1]

    /// A test case and its computing parameters.
    struct Point: Hashable {
        let batch: Int
        let chunk: Int
        let threads: Int
        let test: TestCase

        /// - Parameter batch: `nil` means as many as a pass computes.
        init(batch: Int? = nil, chunk: Int, threads: Int, test: TestCase) {
            self.batch = batch ?? chunk
            self.chunk = chunk
            self.threads = threads
            self.test = test
        }

        /// Rows of the largest pass in this measurement.
        var rows: Int { min(batch, chunk) }
    }

    /// The tests at one depth.
    private func tests(depth: Int) -> [TestCase] {
        let pairs =
            prompts.map { PromptAndGeneration(prompt: $0, generation: 0) }
            + generations.map { PromptAndGeneration(prompt: 0, generation: $0) } + combinations
        return pairs.filter { $0.prompt + $0.generation > 0 }.flatMap { pair in
            (pair.prompt > 0 ? [1] : parallel).map {
                TestCase(
                    promptTokens: pair.prompt, generatedTokens: pair.generation, depth: depth, sequences: $0)
            }
        }
    }

    /// Every point.
    var points: [Point] {
        sizes.flatMap { batch, chunk in
            threads.flatMap { threads in
                depths.flatMap(tests(depth:)).map { Point(batch: batch, chunk: chunk, threads: threads, test: $0) }
            }
        }
    }

    private var sizes: [(batch: Int?, chunk: Int)] {
        let batches = batches.isEmpty ? [nil] : batches.map(Optional.some)
        return batches.flatMap { batch in chunks.map { (batch, $0) } }
    }
}
