#if canImport(ImageIO)
import CoreGraphics
import Foundation
import ImageIO

/// A picture that Apple's ImageIO decodes: all formats except PNG, whose transparent pixels it would blend.
struct SystemPicture: PictureFile {
    private let source: CGImageSource

    let format: ImageFormat
    let size: ImageSize
    let orientation: Orientation

    /// Reads the properties of the file's first picture.
    init(_ bytes: FileBytes, format: ImageFormat) throws(ImageError) {
        let data = bytes.base.map { Data(bytes: $0, count: bytes.count) } ?? Data()
        guard let source = CGImageSourceCreateWithData(data as CFData, nil),
            let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
            let width = properties[kCGImagePropertyPixelWidth] as? Int,
            let height = properties[kCGImagePropertyPixelHeight] as? Int
        else { throw .damaged(format: format, reason: "it contains no image with a size") }
        self.source = source
        self.format = format
        size = ImageSize(width: width, height: height)
        orientation = (properties[kCGImagePropertyOrientation] as? Int).flatMap(Orientation.init) ?? .upright
    }

    func decoded() throws(ImageError) -> RGBImage {
        guard CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete else { throw .truncated(format: format) }
        guard let image = CGImageSourceCreateImageAtIndex(source, 0, nil), let rgbx = drawn(image) else {
            throw .damaged(format: format, reason: "ImageIO cannot decode it")
        }
        return .painted(size) { output in
            for pixel in 0..<size.width * size.height {
                for channel in 0..<3 { output[pixel * 3 + channel] = rgbx[pixel * 4 + channel] }
            }
        }
    }

    /// Four bytes per pixel, the last of which is unused. An RGB picture is assigned the colour space of the target
    /// bitmap, so that its profile has no effect.
    private func drawn(_ image: CGImage) -> [UInt8]? {
        let space = CGColorSpaceCreateDeviceRGB()
        let plain = image.colorSpace?.model == .rgb ? image.copy(colorSpace: space) ?? image : image
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
        let isDrawn = pixels.withUnsafeMutableBytes { memory in
            guard
                let context = CGContext(
                    data: memory.baseAddress, width: size.width, height: size.height, bitsPerComponent: 8,
                    bytesPerRow: size.width * 4, space: space, bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
            else { return false }
            context.draw(plain, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
            return true
        }
        return isDrawn ? pixels : nil
    }
}
#endif
