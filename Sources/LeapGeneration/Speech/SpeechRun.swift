import LeapModels
import LeapOps
import LeapTokenizer

/// The sound of one generation.
final class SpeechRun {
    /// What was said.
    private(set) var answer = SpokenAnswer()
    /// Frames, with those that end.
    private(set) var frameCount = 0

    private var loop: SpeechLoop
    private let voice: Voice
    private let depthformer: DepthformerRun
    private let stream: SpeechStream
    private var sampler: AudioCodeSampler
    private var hasSounded = false

    /// - Parameter compute: Whose threads make sound of codes.
    init(_ request: SpeechRequest, seed: UInt64, _ compute: Compute) throws(GenerationError) {
        loop = SpeechLoop(request.order, request.marks)
        voice = request.voice
        depthformer = DepthformerRun(voice.depthformer, kernels: compute.kernels)
        sampler = AudioCodeSampler(
            temperature: request.temperature, topK: request.topK, generator: SplitMix64(seed: seed))
        do { stream = try voice.detokenizer.begin(compute) } catch { throw .model(error) }
    }

    /// Whether a frame comes next.
    var isSounding: Bool { loop.isSounding }
    /// Whether nothing comes any more, although the model has not said so.
    var isOver: Bool { loop.isOver }

    /// Takes a token.
    func take(_ token: Token) {
        answer.items.append(.token(token))
        loop.take(token)
    }

    /// Makes a frame, and its sound.
    ///
    /// - Parameter hidden: The model's last row.
    /// - Returns: The row that the model reads next.
    func frame(behind hidden: [Float], _ emit: (GenerationEvent) -> Void) throws(GenerationError) -> [Float] {
        do throws(ModelError) {
            let codes = try depthformer.frame(behind: hidden) { _, logits in sampler.draw(logits) }
            answer.items.append(.frame(codes))
            frameCount += 1
            loop.take(frameThatEnds: codes[0] == VocoderConfiguration.endCode)
            if !codes.contains(VocoderConfiguration.endCode) {
                hasSounded = true
                emit(.sound(try stream.add([codes])))
            }
            return try voice.depthformer.row(of: codes)
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
