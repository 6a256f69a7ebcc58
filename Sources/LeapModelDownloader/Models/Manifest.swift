import LeapHub
public import LeapSDK

/// Same as `ModelManifest`; the name in versions 0.10.
public typealias Manifest = ModelManifest

/// What a manifest says of a model's files.
public struct LoadTimeParameters: Hashable, Sendable {
    /// The language model: a URL, relative to the manifest.
    public let model: String
    /// The projector for pictures or sound.
    public let multimodalProjector: String?
    /// The decoder for sound.
    public let audioDecoder: String?
    /// The tokenizer for sound.
    public let audioTokenizer: String?
    /// The template of prompts.
    public let chatTemplate: String?
}

extension ModelManifest {
    /// What the manifest says of the model's files.
    public var loadTimeParameters: LoadTimeParameters {
        LoadTimeParameters(
            model: reference(to: .model) ?? "", multimodalProjector: reference(to: .multimodalProjector),
            audioDecoder: reference(to: .audioDecoder), audioTokenizer: reference(to: .audioTokenizer),
            chatTemplate: chatTemplate)
    }

    /// What the manifest recommends for generations; nil if it recommends nothing.
    public var generationTimeParameters: GenerationTimeParameters? { generationParameters }
}
