import LeapConstraints

/// Token masks of a schema over a vocabulary of realistic size: preparing the vocabulary, compiling the schema, and the
/// masks of an answer, uncached and cached.
func registerConstraints() {
    for size in [32_768, 65_536] {
        measure(["constraint", "vocabulary", "\(size)"], Work(tokens: 1)) {
            let texts = syntheticTokens(size)
            return Iteration { _ = TokenVocabulary(texts: texts, endTokens: [2]) }
        }
        registerMasks("first", size, keepsMasks: false)
        registerMasks("again", size, keepsMasks: true)
    }
    measure(["constraint", "compile", "ten-properties"], Work(tokens: 1)) {
        Iteration { _ = try Constraint(jsonSchema: schema, reading: .generation) }
    }
}

private let schema = """
    {"type":"object","properties":{"id":{"type":"integer","minimum":0},"name":{"type":"string","maxLength":40},
    "kind":{"enum":["person","place","thing"]},"score":{"type":"number","minimum":0,"maximum":1},
    "date":{"type":"string","format":"date"},"tags":{"type":"array","items":{"type":"string"},"maxItems":5},
    "code":{"type":"string","pattern":"^[A-Z]{3}-[0-9]{4}$"},"open":{"type":"boolean"},
    "size":{"type":"object","properties":{"w":{"type":"integer"},"h":{"type":"integer"}},"required":["w","h"]},
    "note":{"type":["string","null"]}},"required":["id","name","kind"],"additionalProperties":false}
    """

private let answer = Array(
    """
    {"id": 4711, "name": "the old lighthouse", "kind": "place", "score": 0.25, "date": "2024-02-29", "tags": \
    ["sea", "stone"], "code": "ABC-1234", "open": true, "size": {"w": 12, "h": 40}, "note": null}
    """.utf8)

/// All masks of one answer, byte by byte; the reported rate is that of single masks.
private func registerMasks(_ name: String, _ size: Int, keepsMasks: Bool) {
    measure(["constraint", "mask-\(name)", "\(size)"], Work(tokens: answer.count)) {
        let constraint = try Constraint(jsonSchema: schema, reading: .generation)
        let vocabulary = TokenVocabulary(texts: syntheticTokens(size), endTokens: [2])
        var masker = TokenMasker(constraint, vocabulary)
        return Iteration {
            if !keepsMasks { masker = TokenMasker(constraint, vocabulary) }
            var state = constraint.makeState()
            for byte in answer {
                _ = masker.mask(for: state)
                state.advance(byte)
            }
        }
    }
}

/// Single bytes, words of one to nine letters with and without a space, digits, and pairs of punctuation marks.
private func syntheticTokens(_ count: Int) -> [[UInt8]] {
    var texts: [[UInt8]] = [[], [], []] + (0...255).map { [UInt8($0)] }
    let marks = Array("{}[]\",: \n.-_'".utf8)
    for first in marks { for second in marks { texts.append([first, second]) } }
    for number in 0..<1000 { texts.append(Array(String(number).utf8)) }
    var state: UInt64 = 1
    while texts.count < count {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var bits = state >> 20
        var word: [UInt8] = bits & 1 == 0 ? [0x20] : []
        for _ in 0..<1 + Int(bits >> 1 & 7) {
            word.append(0x61 + UInt8(bits % 26))
            bits /= 26
        }
        texts.append(word)
    }
    return texts
}
