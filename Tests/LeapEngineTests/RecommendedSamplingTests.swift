import LeapGeneration
import Testing

@testable import LeapEngine

@Suite("Recommended sampling")
struct RecommendedSamplingTests {
    private static let cases: [(name: String, architecture: String, sampling: SamplerConfiguration)] = [
        ("LFM2-1.2B", "lfm2", SamplerConfiguration(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)),
        ("LFM2 350M", "lfm2", SamplerConfiguration(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)),
        ("My fine tune", "lfm2", SamplerConfiguration(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)),
        ("LFM2.5 1.2B Instruct", "lfm2", SamplerConfiguration(temperature: 0.1, topK: 50, repetitionPenalty: 1.05)),
        ("LFM2.5-1.2B-Thinking", "lfm2", SamplerConfiguration(temperature: 0.05, topK: 50, repetitionPenalty: 1.05)),
        ("LFM2.5-1.2B-JP", "lfm2", SamplerConfiguration(temperature: 0.3, minP: 0.15, repetitionPenalty: 1.05)),
        ("LFM2.5-8B-A1B", "lfm2moe", SamplerConfiguration(temperature: 0.2, topK: 80, repetitionPenalty: 1.05)),
        ("LFM2-24B-A2B", "lfm2moe", SamplerConfiguration(temperature: 0.1, topK: 50, repetitionPenalty: 1.05)),
        ("LFM2_1.2B_Extract", "lfm2", .greedy),
        ("LFM2.5-VL-1.6B", "lfm2", SamplerConfiguration(temperature: 0.1, minP: 0.15, repetitionPenalty: 1.05)),
        ("SmolLM2 135M Instruct", "llama", SamplerConfiguration(temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05)),
        ("gpt-oss-20b", "gpt-oss", SamplerConfiguration(temperature: 1)),
        ("Gemma 3 1b It", "gemma3", SamplerConfiguration(temperature: 1, topK: 64, topP: 0.95)),
        (
            "Qwen2.5 Coder 0.5B Instruct", "qwen2",
            SamplerConfiguration(temperature: 0.7, topK: 20, topP: 0.8, repetitionPenalty: 1.05)
        ),
        ("Qwen3-0.6B", "qwen3", SamplerConfiguration(temperature: 0.6, topK: 20, topP: 0.95)),
        ("Qwen3-30B-A3B", "qwen3moe", SamplerConfiguration(temperature: 0.6, topK: 20, topP: 0.95)),
        (
            "Qwen3.5-35B-A3B", "qwen35moe",
            SamplerConfiguration(temperature: 1, topK: 20, topP: 0.95, presencePenalty: 1.5)
        ),
        ("SmolLM3 3B", "smollm3", SamplerConfiguration(temperature: 0.6, topP: 0.95)),
        ("", "", SamplerConfiguration(temperature: 0.8, topK: 40, topP: 0.95, minP: 0.05)),
    ]

    @Test("the recommended sampling depends on the model's family", arguments: cases)
    func families(name: String, architecture: String, sampling: SamplerConfiguration) {
        #expect(RecommendedSampling.family(name, architecture: architecture) == sampling)
    }
}
