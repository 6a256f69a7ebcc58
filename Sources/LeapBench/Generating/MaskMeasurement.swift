import LeapConstraints
import LeapGeneration
import LeapTokenizer

/// The cost of schemas and of the masks for their documents, in seconds of one thread's CPU time.
///
/// Every schema is compiled once, and its first mask is measured with an empty cache. Documents are replayed token by
/// token, as if a model had generated them; later documents benefit from cached masks, as in a server.
struct MaskMeasurement {
    /// Tokens of the vocabulary.
    let vocabularySize: Int
    /// Times of preparing the vocabulary, measured repeatedly.
    let arrangements: [Double]
    private(set) var compilations: [Double] = []
    /// Times of the first mask of each schema.
    private(set) var firstMasks: [Double] = []
    /// Times of all masks.
    private(set) var masks: [Double] = []
    /// The number of schemas that could not be compiled to a constraint.
    private(set) var refusals = 0
    /// The number of documents that their schema does not let a model generate.
    private(set) var rejections = 0

    /// Whether the current schema's masker has not computed a mask yet.
    private var awaitsFirst = false
    private let tokenizer: Tokenizer
    private let vocabulary: TokenVocabulary

    init(_ corpus: SchemaCorpus, _ tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
        vocabularySize = tokenizer.vocabularySize
        let vocabulary = TokenVocabulary(tokenizer)
        self.vocabulary = vocabulary
        // Measures indexing the vocabulary from its tokens' bytes, without the tokenizer's work of producing these.
        let texts = (0..<Int32(truncatingIfNeeded: vocabulary.count)).map { Array(vocabulary.bytes(of: $0)) }
        arrangements = (0..<5).map { _ in
            processorTime { TokenVocabulary(texts: texts, endTokens: vocabulary.endTokens) }.seconds
        }
        for entry in corpus.entries { measure(entry) }
    }

    private mutating func measure(_ entry: SchemaCorpus.Entry) {
        let made = processorTime { try? Constraint(jsonSchema: entry.schema, reading: .generation) }
        guard let constraint = made.value else { return refusals += 1 }
        compilations.append(made.seconds)
        var masker = TokenMasker(constraint, vocabulary)
        awaitsFirst = true
        for document in entry.documents {
            var state = constraint.makeState()
            guard state.advance(document.utf8) == nil, state.isAccepting else {
                rejections += 1
                continue
            }
            follow(document, constraint, &masker)
        }
    }

    private mutating func follow(_ document: String, _ constraint: Constraint, _ masker: inout TokenMasker) {
        var state = constraint.makeState()
        for token in tokenizer.encode(document, addSpecial: false, parseSpecial: false) {
            let mask = processorTime { masker.mask(for: state) }
            if awaitsFirst { firstMasks.append(mask.seconds) }
            awaitsFirst = false
            masks.append(mask.seconds)
            // A tokenizer may prepend a space to a text.
            guard mask.value.contains(token) else { return }
            state.advance(tokenizer.bytes(of: token, renderSpecial: false))
        }
    }
}
