/// How the stored rows and columns of a picture are to be shown, by the values of EXIF's tag 0x0112: a camera held
/// upright stores its picture rotated by 90 degrees.
enum Orientation: Int {
    case upright = 1
    case mirrored, halfTurn, flipped, transposed, clockwise, transversed, counterclockwise

    /// Whether rows become columns.
    var swapsSides: Bool { rawValue > 4 }

    /// The size at which a picture of a stored size is shown.
    func shown(_ size: ImageSize) -> ImageSize {
        swapsSides ? ImageSize(width: size.height, height: size.width) : size
    }

    /// The index at which the shown picture's first pixel is stored, and the index distances to the next pixel on the
    /// right and below.
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
    /// Columns that are rotated together: no more rows of the rotated picture than a CPU's TLB has entries for.
    private static let columnsAtOnce = 64

    /// The picture, rotated as it is to be shown.
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

    /// Copies pixels that are `step` bytes apart to consecutive ones.
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
