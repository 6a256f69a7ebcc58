#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension ChatMessageContent {
    /// Creates image content, encoded as JPEG.
    ///
    /// - Parameter compressionQuality: From 0, the smallest file, to 1, the best quality.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the image has no pixels.
    public static func fromUIImage(_ image: UIImage, compressionQuality: CGFloat = 0.85) throws -> ChatMessageContent {
        guard let data = image.jpegData(compressionQuality: compressionQuality) else {
            throw LeapError.serializationFailure("the image cannot be encoded as JPEG: it has no pixels", nil)
        }
        return .image(data)
    }
}

extension ChatMessageContent.ImageFactory {
    /// Same as ``ChatMessageContent/fromUIImage(_:compressionQuality:)``.
    public func fromUIImage(_ image: UIImage, compressionQuality: CGFloat = 0.85) throws -> ChatMessageContent {
        try .fromUIImage(image, compressionQuality: compressionQuality)
    }
}

extension ChatMessageContentFactory {
    /// Same as ``ChatMessageContent/fromUIImage(_:compressionQuality:)``.
    public func fromUIImage(image: UIImage) throws -> ChatMessageContent {
        try .fromUIImage(image)
    }
}
#elseif canImport(AppKit)
public import AppKit

extension ChatMessageContent {
    /// Creates image content, encoded as JPEG.
    ///
    /// - Parameter compressionQuality: From 0, the smallest file, to 1, the best quality.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the image has no pixels.
    public static func fromNSImage(_ image: NSImage, compressionQuality: CGFloat = 0.85) throws -> ChatMessageContent {
        guard let tiff = image.tiffRepresentation, let bitmap = NSBitmapImageRep(data: tiff),
            let data = bitmap.representation(using: .jpeg, properties: [.compressionFactor: compressionQuality])
        else { throw LeapError.serializationFailure("the image cannot be encoded as JPEG: it has no pixels", nil) }
        return .image(data)
    }
}

extension ChatMessageContent.ImageFactory {
    /// Same as ``ChatMessageContent/fromNSImage(_:compressionQuality:)``.
    public func fromNSImage(_ image: NSImage, compressionQuality: CGFloat = 0.85) throws -> ChatMessageContent {
        try .fromNSImage(image, compressionQuality: compressionQuality)
    }
}
#endif
