import Foundation
import LeapGeneration
import LeapTokenizer
import LeapToolSupport

/// A context, its possible continuations, and the correct ones among them.
struct ChoiceQuestion: Sendable, Equatable {
    let context: String
    let answers: [String]
    /// The indices of the correct answers.
    let right: Set<Int>

    /// The task for a model: the context with a space and each answer.
    ///
    /// - Throws: ``CommandError`` if no two answers differ, or nothing is before them.
    func task(_ tokenizer: Tokenizer, number: Int) throws(CommandError) -> ChoiceTask {
        guard !context.isEmpty || tokenizer.addsBOS else {
            throw CommandError("task \(number): expected a text before the answers, found none")
        }
        let texts = answers.map { tokenizer.encode("\(context) \($0)", addSpecial: true, parseSpecial: false) }
        guard let task = ChoiceTask(texts) else {
            throw CommandError(
                "task \(number): expected at least two different answers, found \(answers)")
        }
        return task
    }
}

/// Reads tasks in the formats of llama.cpp's `llama-perplexity`.
enum ChoiceQuestions {
    /// The most answers per question.
    private static let answerLimit = 100

    /// HellaSwag's tasks, six lines each: the context, the number of the correct ending from 0, and four endings.
    static func hellaSwag(_ path: String) throws(CommandError) -> [ChoiceQuestion] {
        var lines = try InputFile.text(path).split(omittingEmptySubsequences: false, whereSeparator: isLineEnd)
            .map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty, lines.count.isMultiple(of: 6) else {
            throw CommandError("\(path): expected six lines per task, found \(lines.count) lines")
        }
        var questions: [ChoiceQuestion] = []
        for first in stride(from: 0, to: lines.count, by: 6) {
            guard let right = Int(lines[first + 1]), (0..<4).contains(right) else {
                throw CommandError(
                    "\(path), line \(first + 2): expected the number of an ending from 0 to 3, found '\(lines[first + 1])'"
                )
            }
            questions.append(
                ChoiceQuestion(context: lines[first], answers: Array(lines[first + 2..<first + 6]), right: [right]))
        }
        return questions
    }

    /// Files from Windows end lines with CR LF, which Swift treats as one character.
    private static func isLineEnd(_ character: Character) -> Bool { character == "\n" || character == "\r\n" }

    /// Tasks with any number of answers: binary counts and texts, little-endian.
    ///
    ///     count u32 | offset of each task u32 … | tasks: question | answers | answers with several correct ones
    ///     question: length u32 | bytes            answers: count u32 | length u32, bytes … | label i32 …
    static func multipleChoice(_ path: String) throws(CommandError) -> [ChoiceQuestion] {
        var reader = BinaryReader(try InputFile.bytes(path), path)
        let count = try reader.count("tasks", each: 4 + 4)
        try reader.skip(4 * count, "the offsets of tasks")
        var questions: [ChoiceQuestion] = []
        for _ in 0..<count {
            let context = try reader.text()
            let (answers, labels) = try reader.answers(limit: answerLimit)
            _ = try reader.answers(limit: answerLimit)
            let right = Set(labels.indices.filter { labels[$0] == 1 })
            guard !context.isEmpty, !answers.isEmpty, !answers.contains("") else {
                throw CommandError("\(path): task \(questions.count + 1) has an empty question or answer")
            }
            guard !right.isEmpty else {
                throw CommandError("\(path): task \(questions.count + 1) has no answer that is marked as right")
            }
            questions.append(ChoiceQuestion(context: context, answers: answers, right: right))
        }
        return questions
    }

    /// A random selection of HellaSwag's tasks, identical to llama-perplexity's; all if that is not fewer.
    static func hellaSwagSelection(_ questions: [ChoiceQuestion], _ count: Int) -> [ChoiceQuestion] {
        selection(questions, count) { rest, random in
            rest.remove(at: Int(random.next(below: UInt32(clamping: rest.count))))
        }
    }

    /// The same for other tasks, from which llama-perplexity draws by another method, in single precision: the last task
    /// takes the place of the one that was drawn.
    static func multipleChoiceSelection(_ questions: [ChoiceQuestion], _ count: Int) -> [ChoiceQuestion] {
        selection(questions, count) { rest, random in
            let place = min(Int(0x1p-32 * Float(random.next()) * Float(rest.count)), rest.count - 1)
            rest.swapAt(place, rest.count - 1)
            return rest.removeLast()
        }
    }

    private static func selection(
        _ questions: [ChoiceQuestion], _ count: Int,
        _ draw: (_ rest: inout [ChoiceQuestion], _ random: inout MersenneTwister) -> ChoiceQuestion
    ) -> [ChoiceQuestion] {
        guard count > 0, count < questions.count else { return questions }
        var rest = questions
        var random = MersenneTwister(seed: 1)
        return (0..<count).map { _ in draw(&rest, &random) }
    }
}

/// Reads consecutive numbers and texts.
private struct BinaryReader {
    private let bytes: Data
    private let path: String
    private var offset = 0

    init(_ bytes: Data, _ path: String) {
        self.bytes = bytes
        self.path = path
    }

    mutating func number() throws(CommandError) -> UInt32 {
        let part = try take(4, "a number")
        return part.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The count of items of a given size each.
    mutating func count(_ name: String, each size: Int) throws(CommandError) -> Int {
        let count = Int(try number())
        guard count > 0, count <= (bytes.count - offset) / size else {
            throw CommandError(
                "\(path): declares \(count) \(name), but must have at least 1, and they must fit into its "
                    + "\(bytes.count) bytes")
        }
        return count
    }

    mutating func skip(_ count: Int, _ name: String) throws(CommandError) { _ = try take(count, name) }

    mutating func text() throws(CommandError) -> String {
        let part = try take(Int(try number()), "a text")
        guard let text = String(validating: part, as: UTF8.self) else {
            throw CommandError("\(path): the text before byte \(offset) is not valid UTF-8")
        }
        return text
    }

    mutating func answers(limit: Int) throws(CommandError) -> (texts: [String], labels: [Int32]) {
        let count = Int(try number())
        guard count <= limit else {
            throw CommandError("\(path): the task before byte \(offset) has \(count) answers, the maximum is \(limit)")
        }
        var (texts, labels): ([String], [Int32]) = ([], [])
        for _ in 0..<count { texts.append(try text()) }
        for _ in 0..<count { labels.append(Int32(bitPattern: try number())) }
        return (texts, labels)
    }

    private mutating func take(_ count: Int, _ name: String) throws(CommandError) -> Data {
        guard count <= bytes.count - offset else {
            throw CommandError("\(path): truncated at byte \(bytes.count), within \(name)")
        }
        defer { offset += count }
        return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
    }
}
