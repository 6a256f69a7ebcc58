import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer

/// How long a prefill continues after it was cancelled at a random moment.
struct CancellationMeasurement {
    /// Seconds from the cancellation to the end.
    private(set) var delays: [Double] = []

    /// - Parameters:
    ///   - prompt: Tokens of the prompt.
    ///   - count: The number of cancellations.
    init(_ model: LanguageModel, _ compute: Compute, prompt: Int, count: Int) throws {
        let tokenizer = try Tokenizer(metadata: model.file.metadata)
        let generator = try TokenGenerator(
            model: model, tokenizer: tokenizer, compute: compute, caching: PrefixCacheConfiguration(memory: .none))
        let tokens = (0..<prompt).map { Token(truncatingIfNeeded: ($0 * 997 + 100) % tokenizer.vocabularySize) }
        let request = GenerationRequest(
            prompt: Prompt(tokens), stop: StopCondition(tokens: [], maxTokens: 1), routing: .raw)
        let whole = try generator.generate(request).statistics.timeToFirstToken / .seconds(1)
        while delays.count < count {
            let canceller = Canceller(after: .random(in: 0..<whole))
            let result = try generator.generate(request, cancellation: canceller.flag)
            // The random moment may have been too late.
            guard result.finishReason == .cancelled, let moment = canceller.moment else { continue }
            delays.append((.now - moment) / .seconds(1))
        }
    }
}

/// Sets a flag after a delay, on its own thread.
private final class Canceller: @unchecked Sendable {
    // `@unchecked`: the moment is written before the flag is set, and read after the flag was observed.
    let flag = CancellationFlag()
    private(set) var moment: ContinuousClock.Instant?

    init(after seconds: Double) {
        Thread.detachNewThread { [self] in
            Thread.sleep(forTimeInterval: seconds)
            moment = .now
            flag.cancel()
        }
    }
}

/// A table of delays after cancellation.
struct CancellationTable {
    private var table = TextTable([
        .left("model", 20), .right("threads", 7), .right("cancelled", 9), .right("median ms", 9), .right("p99 ms", 8),
        .right("worst ms", 8),
    ])

    /// Adds a row.
    mutating func add(_ model: String, threads: Int, _ measurement: CancellationMeasurement) {
        let delays = Statistics(measurement.delays)
        let figures = [0.5, 0.99, 1].map { String(format: "%.1f", 1000 * delays.quantile($0)) }
        table.add([model, "\(threads)", "\(delays.count)"] + figures)
    }

    var text: String { table.text }
}
