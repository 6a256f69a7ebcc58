import ArgumentParser
import LeapGeneration

/// How a text's surprise is kept near a target, with llama.cpp's flags.
struct MirostatFlags: ParsableArguments {
    @Option(help: "Mirostat version 1 or 2, which keeps the surprise near a target and replaces all filters; 0: off.")
    private var mirostat = 0

    @Option(
        name: [.customLong("mirostat-ent"), .customLong("mirostat-tau")], parsing: .unconditional,
        help: "The target surprise, in bits per token.")
    private var target: Float = 5

    @Option(
        name: [.customLong("mirostat-lr"), .customLong("mirostat-eta")], parsing: .unconditional,
        help: "How quickly deviations from the target are corrected.")
    private var learningRate: Float = 0.1

    func validate() throws {
        if !(0...2 ~= mirostat) { throw ValidationError("--mirostat must be 0, 1 or 2, not \(mirostat).") }
        try SettingRange.fromZero.check("--mirostat-ent", target)
        try SettingRange.fromZero.check("--mirostat-lr", learningRate)
    }

    /// The setting; `nil` if it is off.
    var setting: MirostatSettings? {
        guard mirostat > 0 else { return nil }
        return MirostatSettings(version: mirostat == 1 ? .v1 : .v2, target: target, learningRate: learningRate)
    }
}
