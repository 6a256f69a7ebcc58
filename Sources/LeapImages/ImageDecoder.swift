/// The properties of a picture that its header states.
public struct ImageHeader: Sendable, Hashable {
    /// The file's format.
    public let format: ImageFormat
    /// The size at which the picture is shown, after EXIF's orientation.
    public let size: ImageSize
}

/// Decodes pictures from the bytes of files, as Pillow's `convert("RGB")` after its `exif_transpose` does, because
/// models are trained with its results: alpha is dropped instead of blended, colour profiles and gamma are ignored,
/// greys become three equal bytes, 16-bit samples keep their upper eight bits, and only the first frame of an animation
/// is used (decision 0044).
public enum ImageDecoder {
    /// Format and size. Needs neither a library nor memory for pixels.
    ///
    /// - Throws: ``ImageError``, also for sizes beyond the limits.
    public static func header(
        of bytes: some Collection<UInt8>, limits: ImageLimits = .standard
    ) throws(ImageError) -> ImageHeader {
        try reading(bytes) { bytes throws(ImageError) in
            let file = try open(bytes, limits)
            return ImageHeader(format: file.format, size: file.orientation.shown(file.size))
        }
    }

    /// The picture in a file. The header is read first; memory is allocated only if the limits permit the size.
    ///
    /// - Parameter bytes: A whole file. Bytes of an array or of `Data` are read in place.
    /// - Throws: ``ImageError``.
    public static func decode(
        _ bytes: some Collection<UInt8>, limits: ImageLimits = .standard
    ) throws(ImageError) -> RGBImage {
        try reading(bytes) { bytes throws(ImageError) in
            let file = try open(bytes, limits)
            return try file.decoded().turned(file.orientation)
        }
    }

    /// Why pictures of a format cannot be decoded on this system; `nil` if they can.
    public static func obstacle(to format: ImageFormat) -> ImageError? {
        guard ImageFormat.supported.contains(format) else { return unsupported(format.rawValue) }
        return missingLibrary(for: format)
    }

    private static func unsupported(_ found: String) -> ImageError {
        .unsupportedFormat(found: found, supported: ImageFormat.supported)
    }

    private static func open(_ bytes: FileBytes, _ limits: ImageLimits) throws(ImageError) -> any PictureFile {
        guard !bytes.isEmpty else { throw .empty }
        guard let format = ImageFormat(of: bytes) else {
            throw unsupported("bytes starting with \(bytes.beginning(8))")
        }
        guard ImageFormat.supported.contains(format) else { throw unsupported(format.rawValue) }
        let file = try open(bytes, as: format)
        try limits.check(file.size, of: format)
        return file
    }

    #if canImport(ImageIO)
    private static func open(_ bytes: FileBytes, as format: ImageFormat) throws(ImageError) -> any PictureFile {
        format == .png ? try PNGFile(bytes) : try SystemPicture(bytes, format: format)
    }

    private static func missingLibrary(for format: ImageFormat) -> ImageError? {
        format == .png && Zlib.shared == nil ? Zlib.missing : nil
    }
    #else
    private static func open(_ bytes: FileBytes, as format: ImageFormat) throws(ImageError) -> any PictureFile {
        switch format {
        case .jpeg: try JPEGFile(bytes)
        case .png: try PNGFile(bytes)
        case .webp: try WebPFile(bytes)
        default: throw unsupported(format.rawValue)
        }
    }

    private static func missingLibrary(for format: ImageFormat) -> ImageError? {
        switch format {
        case .jpeg: TurboJPEG.shared == nil ? TurboJPEG.missing : nil
        case .png: Zlib.shared == nil ? Zlib.missing : nil
        case .webp: LibWebP.shared == nil ? LibWebP.missing : nil
        default: nil
        }
    }
    #endif

    /// Reads bytes in place if the collection stores them contiguously.
    private static func reading<Value>(
        _ bytes: some Collection<UInt8>, _ body: (FileBytes) throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        let result = bytes.withContiguousStorageIfAvailable { storage in
            Result { () throws(ImageError) in try body(FileBytes(storage)) }
        }
        if let result { return try result.get() }
        return try reading(ContiguousArray(bytes), body)
    }
}
