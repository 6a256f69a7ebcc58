import LeapGeneration

@testable import LeapSDK

extension LiquidInferenceEngineRunner {
    /// The generation request for messages, as a conversation makes it.
    func makeRequest(
        _ messages: [ChatMessage], functions: [LeapFunction] = [], options: GenerationOptions
    ) throws -> GenerationRequest {
        try fittingRequest(messages, functions: functions, options.values).request
    }
}
