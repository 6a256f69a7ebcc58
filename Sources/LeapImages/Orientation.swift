/// How the stored rows and columns of a picture are to be shown, by the numbers of EXIF's tag 0x0112: a camera that was
/// held upright stores what it saw lying on its side.
enum Orientation: Int {
    case upright = 1
    case mirrored, halfTurn, flipped, transposed, clockwise, transversed, counterclockwise

    /// Whether rows become columns.
    var swapsSides: Bool { rawValue > 4 }

    /// The size at which a picture of this size is shown.
    func shown(_ size: ImageSize) -> ImageSize {
        swapsSides ? ImageSize(width: size.height, height: size.width) : size
    }

    /// Where the shown picture's first pixel is stored, and how many pixels further on its next one to the right and its
    /// next one below are.
    func steps(width: Int, height: Int) -> (start: Int, right: Int, down: Int) {
        let last = width * height - 1
        let bottom = width * (height - 1)
        return switch self {
        case .upright: (0, 1, width)
        case .mirrored: (width - 1, -1, width)
        case .halfTurn: (last, -1, -width)
        case .flipped: (bottom, 1, -width)
        case .transposed: (0, width, 1)
        case .clockwise: (bottom, -width, 1)
        case .transversed: (last, -width, -1)
        case .counterclockwise: (width - 1, width, -1)
        }
    }
}

extension RGBImage {
    /// Columns that are turned together: as many rows of a picture on its side as a CPU has the addresses of at hand.
    private static let columnsAtOnce = 64

    /// The picture as it is to be shown.
    func turned(_ orientation: Orientation) -> RGBImage {
        guard orientation != .upright else { return self }
        let steps = orientation.steps(width: width, height: height)
        let shown = orientation.shown(size)
        return pixels.withUnsafeBufferPointer { stored in
            RGBImage.painted(shown) { output in
                for left in stride(from: 0, to: shown.width, by: Self.columnsAtOnce) {
                    let columns = left..<min(left + Self.columnsAtOnce, shown.width)
                    for row in 0..<shown.height {
                        let source = (steps.start + row * steps.down + left * steps.right) * 3
                        let target = output + (row * shown.width + left) * 3
                        Self.copy(columns.count, stored, from: source, step: steps.right * 3, to: target)
                    }
                }
            }
        }
    }

    /// Puts pixels side by side that are so many bytes apart.
    @inline(__always)
    private static func copy(
        _ count: Int, _ stored: UnsafeBufferPointer<UInt8>, from source: Int, step: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) {
        for pixel in 0..<count {
            for channel in 0..<3 { target[pixel * 3 + channel] = stored[source + pixel * step + channel] }
        }
    }
}
