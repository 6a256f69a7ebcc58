public import Foundation

/// A part of a message.
public enum ChatMessageContent: Sendable, Hashable {
    /// Text.
    case text(String)
    /// A picture, as the bytes of a JPEG file.
    case image(Data)
    /// A recording, as the bytes of a WAV file.
    case audio(Data)
}
