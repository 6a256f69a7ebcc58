import Foundation
import LeapSDK

/// Loads a model from a file, or by name, in which case it is downloaded unless it is on this machine.
func loadModel(_ name: String) async throws -> any ModelRunner {
    if name.hasSuffix(".gguf") {
        return try await Leap.load(url: URL(fileURLWithPath: name))
    }
    return try await Leap.load(model: name, quantization: "Q4_K_M") { fraction, _ in
        show("\rDownloading \(name): \(Int(fraction * 100)) % ")
    }
}
