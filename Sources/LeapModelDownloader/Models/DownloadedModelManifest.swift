public import Foundation
import LeapHub

/// A model that was downloaded: its manifest, and where its files are.
public struct DownloadedModelManifest: Hashable, Sendable {
    /// The manifest, with names of files as references.
    public let manifest: ModelManifest
    /// The language model.
    public let localModelURL: URL
    /// The projector for pictures or sound.
    public let localMultimodalProjectorURL: URL?
    /// The decoder for sound.
    public let localAudioDecoderURL: URL?
    /// The tokenizer for sound.
    public let localAudioTokenizerURL: URL?

    /// The template of prompts that the manifest recommends.
    public var chatTemplate: String? { manifest.chatTemplate }
    /// The path of ``localModelURL``.
    public var localModelPath: String { localModelURL.path }
    /// The path of ``localMultimodalProjectorURL``.
    public var localMultimodalProjectorPath: String? { localMultimodalProjectorURL?.path }
    /// The path of ``localAudioDecoderURL``.
    public var localAudioDecoderPath: String? { localAudioDecoderURL?.path }
    /// The path of ``localAudioTokenizerURL``.
    public var localAudioTokenizerPath: String? { localAudioTokenizerURL?.path }
    /// Same as ``localModelURL``, as some pages spell it.
    public var localModelUrl: URL { localModelURL }
}

extension DownloadedModelManifest {
    init(_ model: StoredModel) {
        manifest = model.manifest
        localModelURL = model.url(of: .model) ?? model.folder
        localMultimodalProjectorURL = model.url(of: .multimodalProjector)
        localAudioDecoderURL = model.url(of: .audioDecoder)
        localAudioTokenizerURL = model.url(of: .audioTokenizer)
    }
}
