import LeapModels
import LeapOps
import LeapTokenizer

/// The sound of one generation.
final class SpeechRun {
    /// The spoken answer so far.
    private(set) var answer = SpokenAnswer()
    /// Frames, with those that end.
    private(set) var frameCount = 0

    private let depthformer: DepthformerRun
    private let stream: SpeechStream
    private var sampler: AudioCodeSampler
    private var loop: SpeechLoop
    /// The model's row after the last step.
    private var hidden: [Float]
    private var hasSounded = false

    /// - Parameter compute: Whose kernels and threads make codes, and sound of them, in turns with other passes.
    init(_ request: SpeechRequest, seed: UInt64, _ compute: Compute) throws(GenerationError) {
        loop = SpeechLoop(request.order, request.marks)
        let voice = request.voice
        hidden = [Float](repeating: 0, count: voice.depthformer.configuration.modelWidth)
        depthformer = DepthformerRun(voice.depthformer, compute)
        sampler = AudioCodeSampler(
            temperature: request.temperature, topK: request.topK, generator: SplitMix64(seed: seed))
        do { stream = try voice.detokenizer.begin(compute) } catch { throw .model(error) }
    }

    /// The row that the model reads next, after a frame.
    var row: [Float] { depthformer.row }
    /// Whether a frame comes next.
    var isSounding: Bool { loop.isSounding }
    /// Whether the answer is over although the model has not ended it.
    var isOver: Bool { loop.isOver }

    /// Takes a token.
    func take(_ token: Token) {
        answer.items.append(.token(token))
        loop.take(token)
    }

    /// Notes the model's row after the last step.
    func keepHiddenRow(_ row: UnsafeBufferPointer<Float>) {
        hidden.withUnsafeMutableBufferPointer { hidden in
            for (element, value) in zip(hidden.indices, row) { hidden[element] = value }
        }
    }

    /// Makes a frame after the noted row, its sound, and the row that the model reads next.
    func makeFrame(_ emit: (GenerationEvent) -> Void) throws(GenerationError) {
        do throws(ModelError) {
            let frame = try depthformer.frame(after: hidden) { sampler.draw($1) }
            answer.items.append(.frame(frame))
            frameCount += 1
            loop.take(frameThatEnds: frame.isEnd)
            depthformer.setRow(frame)
            guard frame.sounds else { return }
            emit(.sound(try stream.add(frame)))
            hasSounded = true
        } catch .file(let error) {
            throw .file(error)
        } catch {
            throw .model(error)
        }
    }

    /// Emits the last of the sound.
    func finish(_ emit: (GenerationEvent) -> Void) {
        if hasSounded { emit(.sound(stream.finish())) }
    }
}
