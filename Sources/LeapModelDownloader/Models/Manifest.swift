import LeapHub
public import LeapSDK

/// Same as `ModelManifest`, under its name in versions 0.10.
public typealias Manifest = ModelManifest

/// The parameters in a manifest for loading a model.
public struct LoadTimeParameters: Hashable, Sendable {
    /// The URL of the language model, which may be relative to the manifest.
    public let model: String
    /// The URL of the projector for image or audio input, if any.
    public let multimodalProjector: String?
    /// The URL of the audio decoder, if any.
    public let audioDecoder: String?
    /// The URL of the audio tokenizer, if any.
    public let audioTokenizer: String?
    /// The chat template, if any.
    public let chatTemplate: String?
}

extension ModelManifest {
    /// The parameters for loading the model.
    public var loadTimeParameters: LoadTimeParameters {
        LoadTimeParameters(
            model: reference(to: .model) ?? "", multimodalProjector: reference(to: .multimodalProjector),
            audioDecoder: reference(to: .audioDecoder), audioTokenizer: reference(to: .audioTokenizer),
            chatTemplate: chatTemplate)
    }

    /// The parameters that the manifest recommends for generations; `nil` if there are none.
    public var generationTimeParameters: GenerationTimeParameters? { generationParameters }
}
