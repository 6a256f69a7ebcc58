import LeapAudio
import LeapBlocks
public import LeapGGUF
public import LeapOps

/// Makes sound of frames of codes: a small language model without words, whose rows are spectra.
///
///     row = mean of embedding_b(code_b), six times;   log |X|, φ = W · model(row) + b;   sound = overlapping inverse transforms
///
/// Source: LFM2.5-Audio (Liquid AI 2025), "detokenizer"; Siuzdak 2023, "Vocos", section 3; tensor names as GGUF files have
/// them.
public final class SpeechDetokenizer: Sendable {
    /// The file that the model lies in.
    public var file: GGUFFile { model.file }

    /// Owns the memory of the table of codes.
    private let weights: Weights
    /// `[books · soundingCodes, width]`
    private let codes: QuantizedMatrix
    private let model: LanguageModel
    private let head: EmbeddingHead

    /// Samples a second.
    public static let sampleRate = 24_000
    /// Samples of a frame.
    public static let samplesPerFrame = rowsPerFrame * InverseSpectrogram.hop
    private static let rowsPerFrame = 6
    private static let tableName = "emb.emb.weight"

    /// Binds the table of codes, which a vocoder has, and the model, which is a file of its own.
    ///
    /// - Throws: ``ModelError`` for everything that would otherwise fail at the first frame; ``ModelError/needsMimi`` where the
    ///   vocoder is of a model whose sound another codec makes.
    public init(vocoder: GGUFFile, tokenizer: GGUFFile) throws(ModelError) {
        guard VocoderConfiguration.isVocoder(vocoder) else { throw .notAVocoder }
        weights = Weights(file: vocoder, architecture: "vocoder")
        guard weights.has(Self.tableName) else { throw .needsMimi }
        model = try LanguageModel.load(tokenizer, for: .embedding, keyType: .f32, valueType: .f32)
        let parameters = HyperParameters(
            metadata: tokenizer.metadata, architecture: model.configuration.architecture)
        let width = model.configuration.embeddingLength
        head = try EmbeddingHead(parameters, model.weights, width: width, pooling: .none, scoresLastToken: true)
        let length = head.dense.last?.weights.rows ?? width
        guard length == 2 * InverseSpectrogram.bins, !model.looksAhead else { throw .notADetokenizer(found: length) }
        codes = try weights.matrix(
            Self.tableName, rows: VocoderConfiguration.books * VocoderConfiguration.soundingCodes, columns: width)
        do { try vocoder.checkNothingLost() } catch { throw .file(error) }
    }

    /// Begins to make sound.
    ///
    /// - Parameter compute: Whose kernels and threads are used, in turns with other passes.
    /// - Throws: ``ModelError``.
    public func begin(_ compute: Compute) throws(ModelError) -> SpeechStream {
        SpeechStream(self, try model.makeState(capacity: model.configuration.contextLength), compute)
    }

    /// The spectra of some frames, which follow those that the state knows.
    func spectra(
        of frames: [[Int32]], _ state: SequenceState, _ compute: Compute
    ) throws(ModelError) -> [[Float]] {
        var batch = Batch(of: .prompt)
        for frame in frames {
            try VocoderConfiguration.check(frame, below: VocoderConfiguration.soundingCodes)
            let row = mean(of: frame, compute)
            for _ in 0..<Self.rowsPerFrame { batch.append(embedding: row, to: state, wantsLogits: true) }
        }
        return try model.forward(batch, .vectors(head), compute, { _, _, _ in true }) { rows in
            (0..<rows.count).map { Array(UnsafeBufferPointer(start: rows[$0], count: rows.width)) }
        }
    }

    private func mean(of frame: [Int32], _ compute: Compute) -> [Float] {
        var sum = [Float](repeating: 0, count: codes.columns)
        var row = sum
        for (book, code) in frame.enumerated() {
            row.withUnsafeMutableBufferPointer { target in
                guard let base = target.baseAddress else { return }
                compute.embed(Int32(book * VocoderConfiguration.soundingCodes) + code, from: codes, into: base)
            }
            for element in sum.indices { sum[element] += row[element] }
        }
        return sum.map { $0 / Float(VocoderConfiguration.books) }
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

    init(_ detokenizer: SpeechDetokenizer, _ state: SequenceState, _ compute: Compute) {
        (self.detokenizer, self.state) = (detokenizer, state)
        self.compute = Compute(sharingThreadsOf: compute)
    }

    /// The samples that some frames bring. However frames are grouped, the samples are the same to the last bit.
    ///
    /// - Parameter frames: Eight codes below 2048 each.
    /// - Throws: ``ModelError/wrongCodes(_:limit:)``, ``ModelError/speechNotFinite``,
    ///   ``ModelError/contextFull(position:added:capacity:)`` behind very long speech, or what goes wrong in a pass.
    public func add(_ frames: [[Int32]]) throws(ModelError) -> [Float] {
        guard !frames.isEmpty else { return [] }
        var samples: [Float] = []
        for row in try detokenizer.spectra(of: frames, state, compute) { samples += sound.add(row) }
        guard samples.allSatisfy(\.isFinite) else { throw .speechNotFinite }
        return samples
    }

    /// The last samples.
    public func finish() -> [Float] { sound.finish() }
}
