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
    /// Sequences that `tg` tests decode together.
    var parallels = [1]

    /// A test case and what it is computed with.
    struct Point: Hashable {
        let chunk: Int
        let threads: Int
        let test: TestCase
    }

    /// The tests at one depth.
    private func tests(depth: Int) -> [TestCase] {
        let prompts = prompts.map { TestCase(promptTokens: $0, depth: depth) }
        let generations = generations.flatMap { count in
            parallels.map { TestCase(generatedTokens: count, depth: depth, parallel: $0) }
        }
        let combinations = combinations.map {
            TestCase(promptTokens: $0.prompt, generatedTokens: $0.generation, depth: depth)
        }
        return (prompts + generations + combinations).filter { $0.tokens > 0 }
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
