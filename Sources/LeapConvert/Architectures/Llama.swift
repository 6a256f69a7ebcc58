import LeapJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension ArchitectureRecipe {
    /// Llama and models of the same structure: Llama 2 and 3, SmolLM 2, Mistral 7B and others.
    static let llama = ArchitectureRecipe(
        name: "llama",
        classes: ["LlamaForCausalLM", "LLaMAForCausalLM", "MistralForCausalLM", "LlamaModel"],
        layerNames: LayerNames.llama, rotaryKinds: RotaryKinds.llama, pairsNeighbours: true,
        defaults: ["rms_norm_eps": 1e-6],
        writeKeys: { configuration, keys throws(ConversionError) in
            try keys.writeLlamaKeys(configuration)
            // Llama's own class ignores the key.
            if configuration.classes.first == "MistralForCausalLM" {
                try keys.writeCommonWindow(configuration, usual: Configuration.usualMistralWindow)
            }
        },
        extraTensors: { configuration throws(ConversionError) in try llama3Divisors(configuration) })

    /// Llama 3.1's divisors of the rotary frequencies: 1 for short wavelengths, `factor` for wavelengths longer than
    /// the sequences of the original training, and an interpolation in between.
    ///
    /// Source: Llama 3.1's reference code, `apply_scaling`; in single precision, and with reciprocals instead of
    /// quotients where PyTorch, which llama.cpp's converter uses, has them.
    static func llama3Divisors(_ configuration: Configuration) throws(ConversionError) -> [ComputedTensor] {
        let rope = try configuration.rope
        guard rope.kind == "llama3" else { return [] }
        let length = try configuration.headLength
        let base = rope.base ?? 10_000
        let factor = rope.float("factor") ?? 8
        let (low, high) = (rope.float("low_freq_factor") ?? 1, rope.float("high_freq_factor") ?? 4)
        let original = Float(rope.originalContextLength ?? 8_192)
        let divisors = stride(from: 0, to: length, by: 2).map { element -> Float in
            let frequency = 1 / powf(base, Float(element) / Float(length))
            let wavelength = 1 / frequency * Float(2 * Double.pi)
            if wavelength < original / high { return 1 }
            if wavelength > original / low { return factor }
            let smooth = (1 / wavelength * original - low) / (high - low)
            return 1 / ((1 - smooth) / factor + smooth)
        }
        return [ComputedTensor(name: "rope_freqs.weight", numbers: divisors)]
    }
}
