/// All combinations to measure of one model, in llama-bench's order: by chunk, threads and depth, prompts first.
struct Grid {
    /// Rows of the largest pass.
    var chunks: [Int]
    var threads: [Int]
    var depths: [Int]
    /// Prompts of `pp` tests; 0 for none.
    var prompts: [Int]
    /// Generations of `tg` tests; 0 for none.
    var generations: [Int]
    /// Prompts with the generations that follow them.
    var combinations: [PromptAndGeneration] = []
    /// Numbers of sequences that decode together, for `tg` tests.
    var parallel = [1]

    /// A test case and what it is computed with.
    struct Point: Hashable {
        let chunk: Int
        let threads: Int
        let test: TestCase
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
        var points: [Point] = []
        for chunk in chunks {
            for threads in threads {
                for test in depths.flatMap(tests(depth:)) {
                    points.append(Point(chunk: chunk, threads: threads, test: test))
                }
            }
        }
        return points
    }
}
