import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import LeapToolSupport

/// A model under evaluation.
struct Evaluation {
    let model: LanguageModel
    let tokenizer: Tokenizer
    let compute: Compute

    private var beginning: Token? { tokenizer.addsBOS ? tokenizer.bos : nil }

    /// The tokens of a text, which must fill a window.
    func tokens(of text: String, name: String, contextSize: Int) throws -> [Token] {
        try checkContext(contextSize)
        guard !text.isEmpty else { throw CommandError("\(name): expected a text, found an empty file") }
        let tokens = tokenizer.encode(text, addSpecial: true, parseSpecial: false)
        guard tokens.count >= contextSize else {
            throw CommandError(
                "\(name): \(tokens.count) tokens do not fill a window of \(contextSize): use a smaller --ctx-size")
        }
        return tokens
    }

    private static let notFinite = CommandError("the model's logits are not finite")

    private func checkContext(_ size: Int) throws(CommandError) {
        guard size > model.configuration.contextLength else { return }
        throw CommandError(
            "--ctx-size \(size) exceeds the model's context of \(model.configuration.contextLength)")
    }

    /// Scores a text.
    ///
    /// - Parameter path: A file for the log-probabilities of all tokens, if any.
    func perplexity(
        _ tokens: [Token], contextSize: Int, chunks: Int?, writingTo path: String?
    ) throws -> Perplexity {
        let windows = min(tokens.count / contextSize, chunks ?? .max)
        let writer = try path.map {
            try LogProbabilityWriter(
                path: $0, contextSize: contextSize, vocabularySize: model.configuration.vocabularySize,
                tokens: Array(tokens[..<(windows * contextSize)]))
        }
        var perplexity = Perplexity(contextSize: contextSize)
        var progress = ProgressBar("perplexity", total: windows)
        var failure: (any Error)?
        for window in 0..<windows {
            let part = Array(tokens[window * contextSize..<(window + 1) * contextSize])
            try TextWindow(part, beginning: beginning).score(model, compute) { row, target in
                perplexity.add(row, target)
                guard failure == nil, let writer else { return }
                do { try writer.append(row) } catch { failure = error }
            }
            if let failure { throw failure }
            guard perplexity.mean.isFinite else { throw Self.notFinite }
            progress.update(window + 1, note: String(format: "%.4f", perplexity.value))
        }
        try writer?.finish()
        return perplexity
    }

    /// Compares the model with the log-probabilities in a file.
    func divergence(from path: String, chunks: Int?) throws -> Divergence {
        let base = try LogProbabilityFile(path: path)
        try checkContext(base.contextSize)
        guard base.vocabularySize == model.configuration.vocabularySize else {
            throw CommandError(
                "\(path): made with a vocabulary of \(base.vocabularySize) tokens, but the model has "
                    + "\(model.configuration.vocabularySize)")
        }
        let windows = min(base.windows, chunks ?? .max)
        var divergence = Divergence()
        var progress = ProgressBar("kl-divergence", total: windows)
        for window in 0..<windows {
            try base.check(window: window)
            let part = Array(base.tokens[window * base.contextSize..<(window + 1) * base.contextSize])
            var index = 0
            try TextWindow(part, beginning: beginning).score(model, compute) { row, target in
                divergence.add(row, base.row(index, window: window), target)
                index += 1
            }
            guard divergence.mean.value.isFinite else { throw Self.notFinite }
            progress.update(window + 1, note: String(format: "%.6f", divergence.mean.value))
        }
        try base.checkUnchanged()
        return divergence
    }

    /// Answers questions.
    func accuracy(_ questions: [ChoiceQuestion]) throws -> Accuracy {
        var accuracy = Accuracy()
        var progress = ProgressBar("tasks", total: questions.count)
        // Before the first pass, because an error in the last task would discard the work for all others.
        let tasks = try questions.enumerated().map { try task($1, number: $0 + 1) }
        for (index, (question, task)) in zip(questions, tasks).enumerated() {
            let scores = try task.scores(model, compute)
            guard scores.allSatisfy(\.isFinite) else { throw Self.notFinite }
            let best = scores.indices.max { scores[$0] < scores[$1] || (scores[$0] == scores[$1] && $0 > $1) } ?? 0
            accuracy.add(
                isCorrect: question.right.contains(best),
                chance: Double(question.right.count) / Double(question.answers.count))
            progress.update(index + 1, note: String(format: "%.2f%%", 100 * accuracy.share))
        }
        return accuracy
    }

    private func task(_ question: ChoiceQuestion, number: Int) throws(CommandError) -> ChoiceTask {
        let task = try question.task(tokenizer, number: number)
        guard task.longest <= model.configuration.contextLength else {
            throw CommandError(
                "task \(number): \(task.longest) tokens exceed the model's context of "
                    + "\(model.configuration.contextLength)")
        }
        return task
    }
}
