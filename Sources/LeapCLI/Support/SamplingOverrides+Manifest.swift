import LeapEngine
import LeapHub

extension SamplingOverrides {
    /// What a model's manifest recommends.
    init(_ manifest: ModelManifest) {
        self.init()
        temperature = manifest.samplingParameter("temperature").map { Float($0) }
        topP = manifest.samplingParameter("top_p").map { Float($0) }
        minP = manifest.samplingParameter("min_p").map { Float($0) }
        repetitionPenalty = manifest.samplingParameter("repetition_penalty").map { Float($0) }
        topK = manifest.samplingParameter("top_k").flatMap { Int(exactly: $0) }
    }
}
