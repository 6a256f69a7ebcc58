import LeapBlocks
import LeapChat
import LeapConstraints
import LeapGeneration
import LeapKernels

/// How a model is used.
struct Options {
    var level = 0
    var keyType: KeyValueType?
    var valueType: KeyValueType?
    /// Tokens of the prompt, and of each of its passes.
    var promptLength = 12
    var chunk = 256
    /// Whether the prompt is computed like an answer.
    var readsAsAnswer = false
    var text = "The answer is 42, isn't it?\n\n  日本 <|im_end|> the there"
    var sampling = SamplerConfiguration(temperature: 0.8)
    var constraint: Constraint?
    var topLogprobs: Int?
    var thinkingBudget: Int?
    var startsInReasoning = false
    var stopStrings: [String] = []
    var keepsCache = false
    var speculates = true
    var generates = true

    init(_ edits: [Edit]) {
        for edit in edits where edit.kind == .option { apply(edit) }
    }

    private static let lengths = [1, 2, 3, 8, 9, 12, 16, 17, 25, 65, 127, 128, 129, 200, 257, 300, 400]
    private static let keyValueTypes: [KeyValueType?] = [nil] + KeyValueType.allCases

    private mutating func apply(_ edit: Edit) {
        switch edit.target % 12 {
        case 0: level = Int(edit.number)
        case 1: keyType = Self.keyValueTypes.chosen(by: edit.choice)
        case 2: valueType = Self.keyValueTypes.chosen(by: edit.choice)
        case 3: promptLength = Self.lengths.chosen(by: edit.choice)
        case 4: chunk = Self.lengths.chosen(by: edit.choice)
        case 5: text += KnownValues.texts.chosen(by: edit.choice)
        case 6: text = String(repeating: KnownValues.texts.chosen(by: edit.choice), count: Int(edit.number % 9))
        case 7: constraint = Self.constraints.chosen(by: edit.choice)
        case 8: setGeneration(edit)
        default: setSampling(edit)
        }
    }

    private static let constraints: [Constraint?] = [
        try? Constraint(
            jsonSchema: #"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}"#),
        try? Constraint(jsonSchema: #"{"type": "array", "items": {"type": "string", "maxLength": 3}}"#),
        try? Constraint(regex: "[a-z]{2,5}|é+"), try? Constraint(gbnf: #"root ::= "the " ("a" | "b")*"#), nil,
    ]

    private mutating func setGeneration(_ edit: Edit) {
        switch edit.form % 8 {
        case 0: topLogprobs = Int(edit.number % 300)
        case 1: thinkingBudget = Int(edit.number % 5)
        case 2: startsInReasoning.toggle()
        case 3: stopStrings.append(KnownValues.texts.chosen(by: edit.choice))
        case 4: keepsCache.toggle()
        case 5: speculates.toggle()
        case 6: readsAsAnswer.toggle()
        default: generates.toggle()
        }
    }

    private mutating func setSampling(_ edit: Edit) {
        let float = Float(KnownValues.floats.chosen(by: edit.choice))
        let integer = Int(truncatingIfNeeded: KnownValues.integers.chosen(by: edit.choice))
        // From 0 to 1, the useful range of most settings.
        let share = Float(edit.number % 1001) / 1000
        let value = edit.choice < 128 ? share : float
        switch edit.form % 16 {
        case 0: sampling.temperature = value * 3
        case 1: sampling.topK = integer
        case 2: sampling.topP = value
        case 3: sampling.minP = value
        case 4: sampling.typicalP = value
        case 5: sampling.topNSigma = value * 2
        case 6: sampling.repetitionPenalty = value * 2
        case 7: sampling.frequencyPenalty = value
        case 8: sampling.presencePenalty = value
        case 9: sampling.penaltyWindow = integer
        case 10: sampling.logitBias[Int32(truncatingIfNeeded: integer)] = float
        case 11: (sampling.dry.multiplier, sampling.dry.window) = (value * 2, integer)
        case 12: (sampling.dry.base, sampling.dry.allowedLength) = (1 + value, integer)
        case 13: (sampling.xtcProbability, sampling.xtcThreshold) = (1, value)
        case 14: sampling.mirostat = MirostatSettings(version: .v1, target: value * 9, learningRate: share)
        default: sampling.mirostat = MirostatSettings(version: .v2, target: value * 9, learningRate: share)
        }
    }
}
