#if canImport(UIKit) && !os(watchOS)
public import UIKit

extension ChatMessageContent {
    /// A picture, as JPEG.
    ///
    /// - Parameter compressionQuality: 0 is the smallest file, 1 the best picture.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for a picture without pixels.
    public static func fromUIImage(_ image: UIImage, compressionQuality: CGFloat = 0.85) throws -> ChatMessageContent {
        guard let data = image.jpegData(compressionQuality: compressionQuality) else {
            throw LeapError.serializationFailure("the picture cannot be written as JPEG: it has no pixels", nil)
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
    /// A picture, as JPEG.
    ///
    /// - Parameter compressionQuality: 0 is the smallest file, 1 the best picture.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` for a picture without pixels.
    public static func fromNSImage(_ image: NSImage, compressionQuality: CGFloat = 0.85) throws -> ChatMessageContent {
        guard let tiff = image.tiffRepresentation, let bitmap = NSBitmapImageRep(data: tiff),
            let data = bitmap.representation(using: .jpeg, properties: [.compressionFactor: compressionQuality])
        else { throw LeapError.serializationFailure("the picture cannot be written as JPEG: it has no pixels", nil) }
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
