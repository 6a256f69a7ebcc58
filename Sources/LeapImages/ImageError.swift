public import Foundation

/// Why a picture cannot be used.
public enum ImageError: Error, Hashable, Sendable {
    /// There are no bytes.
    case empty
    /// The bytes are not a picture, or one of an unsupported format.
    case unsupportedFormat(found: String, supported: [ImageFormat])
    /// The system's library for a format is not installed.
    case missingLibrary(format: ImageFormat, library: String, package: String)
    /// The file ends before the picture does.
    case truncated(format: ImageFormat)
    /// The file contradicts its format.
    case damaged(format: ImageFormat, reason: String)
    /// A side is zero.
    case noPixels(format: ImageFormat, size: ImageSize)
    /// The picture has more pixels than the limits allow.
    case tooLarge(format: ImageFormat, size: ImageSize, limits: ImageLimits)
}

extension ImageError: CustomStringConvertible, LocalizedError {
    /// The whole message: what failed, what was expected, what was found, what to do.
    public var description: String {
        switch self {
        case .empty: "the image is empty: its file has no bytes."
        case .unsupportedFormat(let found, let supported):
            "unsupported image format: found \(found). Supported: "
                + "\(supported.map(\.rawValue).joined(separator: ", ")). Convert the image to one of them."
        case .missingLibrary(let format, let library, let package):
            "\(format.rawValue) images are decoded by \(library), which is not installed. "
                + "Install it (Debian: apt-get install \(package)), or convert the image to another format."
        case .truncated(let format):
            "the \(format.rawValue) image is truncated: the file ends too early. Use an intact copy."
        case .damaged(let format, let reason): "the \(format.rawValue) image is damaged: \(reason). Use an intact copy."
        case .noPixels(let format, let size): "the \(format.rawValue) image has no pixels: its size is \(size)."
        case .tooLarge(let format, let size, let limits):
            "the \(format.rawValue) image is too large: \(size) pixels; the limits are \(limits.maxSide) per side and "
                + "\(limits.maxPixels) in total. Resize it."
        }
    }

    /// The same text as `description`.
    public var errorDescription: String? { description }
}
