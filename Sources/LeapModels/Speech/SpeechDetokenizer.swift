import LeapAudio
import LeapBlocks
public import LeapGGUF
public import LeapOps

/// Turns frames of codes into audio: a small language model without a vocabulary, whose output rows are spectra.
///
///     row = mean of embedding_b(code_b), six times;   log |X|, φ = W · model(row) + b;   sound = overlapping inverse transforms
///
/// Source: LFM2.5-Audio (Liquid AI 2025), "detokenizer"; Siuzdak 2023, "Vocos", section 3; tensor names as GGUF files have
/// them.
public final class SpeechDetokenizer: Sendable {
    /// The file that contains the model.
    public var file: GGUFFile { model.file }

    /// Owns the memory of the table of codes.
    private let weights: Weights
    private let codes: CodeTable
    private let model: LanguageModel
    private let head: EmbeddingHead

    /// Samples a second.
    public static let sampleRate = 24_000
    /// Samples of a frame.
    public static let samplesPerFrame = rowsPerFrame * InverseSpectrogram.hop
    private static let rowsPerFrame = 6
    static let tableName = "emb.emb.weight"

    /// Whether a vocoder needs no other file to produce audio.
    public static func isWhole(_ vocoder: GGUFFile) -> Bool { InnerDetokenizer.isThere(in: vocoder) }

    /// Binds the code table, which is in the vocoder's file, and the model, which is in a separate file or also there.
    ///
    /// - Parameter tokenizer: Contains the model; if `nil`, the vocoder does.
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first frame; ``ModelError/needsMimi`` if the
    ///   vocoder is of a model whose sound another codec makes, and ``ModelError/needsDetokenizer`` if no file makes spectra.
    public init(vocoder: GGUFFile, tokenizer: GGUFFile?) throws(ModelError) {
        guard VocoderConfiguration.isVocoder(vocoder) else { throw .notAVocoder }
        weights = Weights(file: vocoder, architecture: "vocoder")
        guard weights.has(Self.tableName) else { throw .needsMimi }
        guard tokenizer != nil || Self.isWhole(vocoder) else { throw .needsDetokenizer }
        let tokenizer = if let tokenizer { tokenizer } else { try InnerDetokenizer.file(in: vocoder) }
        model = try LanguageModel.load(tokenizer, for: .embedding, keyType: .f32, valueType: .f32)
        let parameters = HyperParameters(
            metadata: tokenizer.metadata, architecture: model.configuration.architecture)
        let width = model.configuration.embeddingLength
        head = try EmbeddingHead(parameters, model.weights, width: width, pooling: .none, scoresLastToken: true)
        let length = head.dense.last?.weights.rows ?? width
        guard length == 2 * InverseSpectrogram.bins, !model.looksAhead else { throw .notADetokenizer(found: length) }
        codes = try CodeTable(
            Self.tableName, weights, codesPerBook: VocoderConfiguration.soundingCodes, width: width)
        do { try vocoder.checkNothingLost() } catch { throw .file(error) }
    }

    /// Starts decoding audio.
    ///
    /// - Parameter compute: Used in turns with other passes.
    /// - Throws: ``ModelError``.
    public func begin(_ compute: Compute) throws(ModelError) -> SpeechStream {
        SpeechStream(self, try model.makeState(capacity: model.configuration.contextLength), compute)
    }

    /// Runs some frames through the model, after those in the state.
    ///
    /// - Parameters:
    ///   - batch: Gets their rows.
    ///   - means: Memory of a row for each frame.
    ///   - body: Receives the spectra.
    fileprivate func spectra(
        of frames: UnsafeBufferPointer<CodeFrame>.SubSequence, _ state: SequenceState, _ batch: inout Batch,
        _ means: inout [CodeSum],
        _ compute: Compute, _ body: (Rows) -> Void
    ) throws(ModelError) {
        // Release the batch's references to the rows, so that these can be written in place next time.
        batch.removeAll()
        for place in frames.indices {
            let (index, frame) = (place - frames.startIndex, frames[place])
            guard frame.sounds else { throw .wrongCodes(frame.values, limit: VocoderConfiguration.soundingCodes) }
            if means.count == index { means.append(CodeSum(width: codes.rows.columns)) }
            means[index].set(frame, of: codes, times: 1 / Float(VocoderConfiguration.books), compute)
            for _ in 0..<Self.rowsPerFrame { batch.append(embedding: means[index].row, to: state, wantsLogits: true) }
        }
        try model.forward(batch, .vectors(head), compute, { _, _, _ in true }, body)
    }
}

/// Sound that comes while frames are made: 1,440 samples with the first frame, 1,920 with each that follows, and 480 at the
/// end.
///
/// Used by one caller at a time.
public final class SpeechStream {
    private let detokenizer: SpeechDetokenizer
    private let state: SequenceState
    private let compute: Compute
    private var sound = InverseSpectrogram()
    private var batch = Batch(of: .prompt)
    private var means: [CodeSum] = []

    /// Frames of a pass.
    private static let chunk = 16

    init(_ detokenizer: SpeechDetokenizer, _ state: SequenceState, _ compute: Compute) {
        (self.detokenizer, self.state) = (detokenizer, state)
        self.compute = Compute(sharingThreadsOf: compute)
    }

    /// The samples of some frames. However frames are grouped, the samples are the same to the last bit.
    ///
    /// - Parameter frames: Frames that stand for audio.
    /// - Throws: ``ModelError/wrongCodes(_:limit:)``, ``ModelError/speechNotFinite``,
    ///   ``ModelError/contextFull(position:added:capacity:)`` after very long speech, or what goes wrong in a pass.
    public func add(_ frames: [CodeFrame]) throws(ModelError) -> [Float] {
        try frames.withUnsafeBufferPointer { frames throws(ModelError) in try samples(of: frames) }
    }

    /// The samples of one frame. Once the first frame has come, only the result takes memory.
    ///
    /// - Parameter frame: A frame that stands for audio.
    /// - Returns: The samples, mono, ``SpeechDetokenizer/sampleRate`` a second: 1,440 for the first frame, 1,920 for any other.
    /// - Throws: As ``add(_:)-([CodeFrame])``.
    public func add(_ frame: CodeFrame) throws(ModelError) -> [Float] {
        try withUnsafePointer(to: frame) { frame throws(ModelError) in
            try samples(of: UnsafeBufferPointer(start: frame, count: 1))
        }
    }

    private func samples(of frames: UnsafeBufferPointer<CodeFrame>) throws(ModelError) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frames.count * SpeechDetokenizer.samplesPerFrame)
        var rest = frames[...]
        while !rest.isEmpty {
            try detokenizer.spectra(of: rest.prefix(Self.chunk), state, &batch, &means, compute) { rows in
                for row in 0..<rows.count {
                    sound.add(UnsafeBufferPointer(start: rows[row], count: rows.width), to: &samples)
                }
            }
            rest = rest.dropFirst(Self.chunk)
        }
        guard samples.allSatisfy(\.isFinite) else { throw .speechNotFinite }
        return samples
    }

    /// The last samples.
    public func finish() -> [Float] {
        var samples: [Float] = []
        sound.finish(to: &samples)
        return samples
    }
}
