import LeapSDK
import Testing
import _LeapTestSupport

@Suite("Loading by path")
struct LeapClientTests {
    private static let path = Fixture(name: "lfm2-tied-f32").path

    @Test("the path given to the call takes precedence over the path in the options")
    func loads() async throws {
        let options = LiquidInferenceEngineOptions(bundlePath: "elsewhere.gguf", cpuThreads: 1, contextSize: 64)
        let runners = [
            try await LeapClient.shared.loadModel(modelPath: Self.path, options: options),
            try await LeapClient.shared.loadModel(modelPath: Self.path, mmprojPath: nil, options: options),
            try await LeapClient.shared.loadModel(
                model: AudioGenerationModelDescriptor(modelPath: Self.path), options: options),
            try await LeapInferenceEngine.shared.loadModel(modelPath: Self.path, options: options),
        ]
        for runner in runners { #expect(runner.modelId == "lfm2-tied-f32") }
    }

    @Test("missing companion files are errors")
    func companions() async throws {
        let model = AudioGenerationModelDescriptor(modelPath: Self.path, audioDecoderPath: "/voice.gguf")
        await #expect {
            try await LeapClient.shared.loadModel(model: model)
        } throws: { "\($0)".contains("'/voice.gguf': cannot open the file") }
        await #expect(throws: LeapError.self) {
            try await LeapClient.shared.loadModel(modelPath: Self.path, mmprojPath: "/eyes.gguf")
        }
    }
}
