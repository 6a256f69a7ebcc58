import Foundation
import LeapSDK
import Testing

@Suite("Leap errors")
struct LeapErrorTests {
    private static let cases: [(error: LeapError, text: String)] = [
        (.loadModelFailure, "the model cannot be loaded"),
        (.modelLoadingFailure("no file", nil), "the model cannot be loaded: no file"),
        (.generationFailure("no tokens", nil), "the generation failed: no tokens"),
        (.serializationFailure("no role", nil), "the JSON cannot be used: no role"),
        (.promptExceedContextLengthFailure("too long", nil), "too long"),
    ]

    @Test("every error has the same text in all its descriptions", arguments: cases)
    func texts(error: LeapError, text: String) {
        #expect(error.description == text)
        #expect(error.errorDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }
}
