import LeapGGUF
import LeapModels
import LeapOps
import LeapToolSupport

/// A prompt and an answer, by the engine alone and through `Conversation`, in turns.
struct APIMeasurement {
    /// The four tests: a prompt, the same through the API, an answer after it, the same through the API.
    let results: [(test: TestCase, measurement: Measurement)]

    /// - Parameters:
    ///   - prompt: The approximate number of tokens of the prompt.
    ///   - generation: Tokens of the answer.
    init(
        _ model: LanguageModel, _ compute: Compute, chunk: Int, prompt: Int, generation: Int, repetitions: Int,
        warmsUp: Bool
    ) throws {
        let path = model.file.path
        let conversation = try ConversationRun(
            path: path, types: model.keyValueTypes, compute: compute, promptTokens: prompt, generatedTokens: generation)
        let length = conversation.promptTokens
        let context = model.configuration.contextLength
        guard length + generation <= context else {
            throw CommandError(
                "\(path): \(length + generation) tokens do not fit into the model's context of \(context).")
        }
        let prefill = TestCase(promptTokens: length)
        let decode = TestCase(generatedTokens: generation, depth: length)
        // Each keeps its own initial sequence.
        var (prefills, decodes) = (
            TestRunner(model: model, compute: compute, chunk: chunk),
            TestRunner(model: model, compute: compute, chunk: chunk)
        )
        var measurements = [Measurement](repeating: Measurement(), count: 4)
        for round in 0..<repetitions + (warmsUp ? 1 : 0) {
            let engine = (try prefills.sample(prefill), try decodes.sample(decode))
            let sample = try conversation.sample()
            guard round > 0 || !warmsUp else { continue }
            let times = [
                engine.0, sample.secondsPerPromptToken * Double(length), engine.1,
                sample.secondsPerToken * Double(generation),
            ]
            for (index, time) in times.enumerated() {
                measurements[index].seconds.append(time)
                measurements[index].memory = measurements[index].memory.merged(with: .now())
            }
        }
        results = Array(zip(Self.tests(prompt: length, generation: generation), measurements))
    }

    /// The tests of a prompt and an answer.
    static func tests(prompt: Int, generation: Int) -> [TestCase] {
        let prefill = TestCase(promptTokens: prompt)
        let decode = TestCase(generatedTokens: generation, depth: prompt)
        return [prefill, prefill.throughAPI, decode, decode.throughAPI]
    }
}

extension TestCase {
    /// The same test, through the API.
    fileprivate var throughAPI: TestCase {
        var test = self
        test.isThroughAPI = true
        return test
    }
}
