#if !canImport(ImageIO)
/// libjpeg-turbo by its TurboJPEG interface, which reports errors by return values, whereas the older interface uses
/// longjmp. Without flags about speed it computes the same as Pillow by default: the accurate integer transform, and
/// smooth chroma upsampling.
///
/// Source: turbojpeg.h of libjpeg-turbo 2.1; these functions are in all versions from 2.0, and in 3.0 too.
struct TurboJPEG: Sendable {
    private typealias New = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Destroy = @convention(c) (UnsafeMutableRawPointer) -> Int32
    private typealias Decompress =
        @convention(c) (
            _ handle: UnsafeMutableRawPointer, _ file: UnsafePointer<UInt8>?, _ fileSize: UInt,
            _ pixels: UnsafeMutablePointer<UInt8>?, _ width: Int32, _ pitch: Int32, _ height: Int32, _ format: Int32,
            _ flags: Int32
        ) -> Int32
    private typealias ErrorText = @convention(c) (UnsafeMutableRawPointer) -> UnsafePointer<CChar>?
    private typealias ErrorCode = @convention(c) (UnsafeMutableRawPointer) -> Int32

    /// Values of `TJPF`.
    enum PixelFormat: Int32 {
        case rgb = 0
        case cmyk = 11

        var channels: Int { self == .rgb ? 3 : 4 }
    }

    /// `TJFLAG_LIMITSCANS`: a progressive file of a few bytes may request thousands of passes. At most 500, whatever
    /// its size; `JPEGFile` has counted them before.
    private static let limitScans: Int32 = 32_768
    /// `TJERR_WARNING`: the pixels were decoded, but some of them may be wrong.
    private static let warning: Int32 = 0

    /// The library's file.
    static let name = "libturbojpeg.so.0"
    static let missing = ImageError.missingLibrary(format: .jpeg, library: name, package: "libturbojpeg0")
    /// The library; `nil` if it is not installed.
    static let shared = TurboJPEG()

    private let new: New
    private let destroy: Destroy
    private let decompress: Decompress
    private let errorText: ErrorText
    private let errorCode: ErrorCode

    private init?() {
        guard let library = SystemLibrary([Self.name, "libturbojpeg.so"]),
            let new = library.function("tjInitDecompress", as: New.self),
            let destroy = library.function("tjDestroy", as: Destroy.self),
            let decompress = library.function("tjDecompress2", as: Decompress.self),
            let errorText = library.function("tjGetErrorStr2", as: ErrorText.self),
            let errorCode = library.function("tjGetErrorCode", as: ErrorCode.self)
        else { return nil }
        self.new = new
        self.destroy = destroy
        self.decompress = decompress
        self.errorText = errorText
        self.errorCode = errorCode
    }

    /// Decodes the pixels of a file whose header states this size.
    ///
    /// A warning is not an error: like other programs, Pillow shows pictures with wrong bytes in them.
    func pixels(of file: FileBytes, _ size: ImageSize, as format: PixelFormat) throws(ImageError) -> [UInt8] {
        guard let handle = new() else { throw .damaged(format: .jpeg, reason: "\(Self.name) cannot be initialised") }
        defer { _ = destroy(handle) }
        let pitch = size.width * format.channels
        var pixels = [UInt8](repeating: 0, count: pitch * size.height)
        let result = pixels.withUnsafeMutableBufferPointer { buffer in
            decompress(
                handle, file.base, UInt(file.count), buffer.baseAddress, Int32(size.width), Int32(pitch),
                Int32(size.height), format.rawValue, Self.limitScans)
        }
        guard result == 0 || errorCode(handle) == Self.warning else {
            let reason = errorText(handle).map { String(cString: $0) } ?? "\(Self.name) cannot decode it"
            throw .damaged(format: .jpeg, reason: reason)
        }
        return pixels
    }
}
#endif
