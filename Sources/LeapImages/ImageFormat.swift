/// The formats that are recognised by the first bytes of a file.
public enum ImageFormat: String, Sendable, CaseIterable {
    // The raw values are the names that messages use.
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"
    case heic = "HEIC"
    case avif = "AVIF"
    case jpegXL = "JPEG XL"
    case tiff = "TIFF"
    case bmp = "BMP"

    /// The formats that are decoded on this platform: Apple's systems have decoders for more of them.
    public static let supported: [ImageFormat] = {
        #if canImport(ImageIO)
        [.jpeg, .png, .webp, .gif, .heic]
        #else
        [.jpeg, .png, .webp]
        #endif
    }()

    /// The media type in IANA's registry.
    public var mediaType: String { self == .jpegXL ? "image/jxl" : "image/\(rawValue.lowercased())" }

    /// The format of a file; `nil` if its first bytes match none of them.
    init?(of bytes: FileBytes) {
        if bytes.begin(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.begin(with: PNGFile.signature) {
            self = .png
        } else if bytes.text(at: 0, count: 4) == "RIFF", bytes.text(at: 8, count: 4) == "WEBP" {
            self = .webp
        } else if let other = Self(unsupported: bytes) {
            self = other
        } else {
            return nil
        }
    }

    /// Common formats that are not supported, so that a message can name what was found.
    private init?(unsupported bytes: FileBytes) {
        if bytes.text(at: 4, count: 4) == "ftyp", let brand = bytes.text(at: 8, count: 4) {
            self.init(brand: brand)
        } else if let match = Self.beginnings.first(where: { bytes.begin(with: $0.bytes) }) {
            self = match.format
        } else {
            return nil
        }
    }

    private static let beginnings: [(bytes: [UInt8], format: ImageFormat)] = [
        (Array("GIF8".utf8), .gif), (Array("BM".utf8), .bmp), (Array("II*\0".utf8), .tiff),
        (Array("MM\0*".utf8), .tiff),
        ([0xFF, 0x0A], .jpegXL), ([0, 0, 0, 12] + Array("JXL ".utf8), .jpegXL),
    ]

    /// The format of a file of ISO/IEC 23008-12's family, by its major brand.
    private init?(brand: String) {
        switch brand {
        case "avif", "avis": self = .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": self = .heic
        default: return nil
        }
    }
}
