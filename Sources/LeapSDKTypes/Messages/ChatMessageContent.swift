public import Foundation

/// A part of a message: text, an image or audio.
public enum ChatMessageContent: Sendable, Hashable {
    /// Text.
    case text(String)
    /// An image: the bytes of a JPEG, PNG or WebP file.
    case image(Data)
    /// Audio: the bytes of a WAV file.
    case audio(Data)
}
