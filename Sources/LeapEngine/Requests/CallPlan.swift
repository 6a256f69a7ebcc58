import LeapChat
import LeapConstraints
import LeapJSON
import LeapTokenizer
import OrderedCollections

/// How calls are constrained to the functions of a request: the constraint, and the dialect that parses the result.
struct CallPlan {
    /// What must be written.
    let source: ConstraintSource
    /// How it is read.
    let dialect: Dialect

    /// The calls that an answer must be, and nothing else.
    ///
    /// - Parameters:
    ///   - calls: The requested calls.
    ///   - tools: The tools of the request, which include those of the requested calls.
    ///   - dialect: How the model writes calls.
    init(_ calls: AnswerOptions.RequiredCalls, _ tools: [Tool], _ dialect: Dialect, _ tokenizer: Tokenizer) {
        let tools = tools.filter { calls.functions.contains($0.name) }
        let pattern = CallPattern(of: tools.map(\.name), maySeveral: calls.maySeveral, in: dialect)
        let marks = HiddenMarks(pattern.dialect.callMarkTexts, tokenizer)
        // If the call's marks contain a token that ends the answer, the answer cannot contain them: use plain JSON.
        let plan = marks.holdsEnd(tokenizer) ? pattern.asJSON : pattern
        self.init(plan, tools, marks)
    }

    /// A block of calls in an answer, if the model decides to begin one.
    ///
    /// - Returns: `nil` if calls of the dialect have no opening mark, or their syntax is not known.
    init?(ofBlock tools: [Tool], _ dialect: Dialect, _ tokenizer: Tokenizer) {
        guard let pattern = CallPattern(ofBlock: tools.map(\.name), in: dialect) else { return nil }
        let marks = HiddenMarks(dialect.callMarkTexts, tokenizer)
        guard !marks.holdsEnd(tokenizer) else { return nil }
        self.init(pattern, tools, marks)
    }

    private init(_ pattern: CallPattern, _ tools: [Tool], _ marks: HiddenMarks) {
        dialect = pattern.dialect
        source = .pattern(
            marks.constraint(pattern.part), tools.map { NamedSchema($0.name, $0.callParameters.text()) },
            spelling: pattern.isPython ? .python : .json)
    }
}

/// Marks that a vocabulary has as tokens without a text of their own.
private struct HiddenMarks {
    /// The longest first.
    private let tokens: [(text: String, token: Token)]

    init(_ marks: [String], _ tokenizer: Tokenizer) {
        tokens = Set(marks).compactMap { mark in tokenizer.token(for: mark).map { (mark, $0) } }
            .filter { tokenizer.bytes(of: $0.1, renderSpecial: false).isEmpty }
            .sorted { ($0.0.utf8.count, $0.1) > ($1.0.utf8.count, $1.1) }
    }

    func holdsEnd(_ tokenizer: Tokenizer) -> Bool { tokens.contains { tokenizer.endOfGeneration.contains($0.token) } }

    func constraint(_ part: CallPattern.Part) -> ConstraintPattern {
        switch part {
        case .text(let text): self.text(text[...])
        case .arguments(let function, let isPython): isPython ? .keywordArguments(function) : .document(function)
        case .sequence(let parts): .sequence(parts.map(constraint))
        case .choice(let parts): .choice(parts.map(constraint))
        case .optional(let part): .repetition(constraint(part), minimum: 0, maximum: 1)
        }
    }

    /// A text with its marks as tokens.
    private func text(_ text: Substring) -> ConstraintPattern {
        let places = tokens.compactMap { mark in text.firstRange(of: mark.text).map { (range: $0, token: mark.token) } }
        guard let first = places.min(by: { $0.range.lowerBound < $1.range.lowerBound }) else {
            return .text(String(text))
        }
        let (before, after) = (text[..<first.range.lowerBound], text[first.range.upperBound...])
        let parts = [
            before.isEmpty ? nil : .text(String(before)), .hiddenToken(first.token),
            after.isEmpty ? nil : self.text(after),
        ]
        return .sequence(parts.compactMap(\.self))
    }
}

extension Tool {
    /// The schema of arguments. An empty `properties` object is taken to mean that the function has no parameters, so
    /// additional ones are forbidden.
    fileprivate var callParameters: JSONValue {
        guard var keywords = parameters.object, keywords["properties"]?.object?.isEmpty == true,
            keywords["additionalProperties"] == nil
        else { return parameters }
        keywords["additionalProperties"] = false
        return .object(keywords)
    }
}
