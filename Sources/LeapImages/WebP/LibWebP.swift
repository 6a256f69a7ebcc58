#if !canImport(ImageIO)
/// libwebp's simple decoder. Source: webp/decode.h, unchanged since version 0.1.
struct LibWebP: Sendable {
    private typealias Decode =
        @convention(c) (
            _ bitstream: UnsafePointer<UInt8>?, _ size: UInt, _ output: UnsafeMutablePointer<UInt8>, _ outputSize: UInt,
            _ stride: Int32
        ) -> UnsafeMutablePointer<UInt8>?

    /// The library's file.
    static let name = "libwebp.so.7"
    static let missing = ImageError.missingLibrary(format: .webp, library: name, package: "libwebp7")
    /// The library; `nil` if it is not installed.
    static let shared = LibWebP()

    private let decodeRGB: Decode

    private init?() {
        guard let library = SystemLibrary([Self.name, "libwebp.so"]),
            let decodeRGB = library.function("WebPDecodeRGBInto", as: Decode.self)
        else { return nil }
        self.decodeRGB = decodeRGB
    }

    /// Decodes a bitstream, lossy or lossless, without its container.
    ///
    /// - Parameters:
    ///   - start: The offset of the first pixel in `pixels`.
    ///   - stride: The byte distance between rows. The library ensures that all rows lie within `pixels`.
    /// - Returns: Whether all of it was decoded.
    func decode(_ bitstream: FileBytes, into pixels: inout [UInt8], from start: Int, stride: Int) -> Bool {
        pixels.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, start < buffer.count else { return false }
            let room = UInt(buffer.count - start)
            return decodeRGB(bitstream.base, UInt(bitstream.count), base + start, room, Int32(stride)) != nil
        }
    }
}
#endif
