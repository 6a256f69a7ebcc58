/// The contents of a PNG file's first chunk, `IHDR`.
struct PNGHeader {
    /// The kinds of pixels, by their values in the file.
    enum ColorType: Int {
        case grey = 0
        case color = 2
        case palette = 3
        case greyWithAlpha = 4
        case colorWithAlpha = 6

        /// Samples per pixel.
        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .greyWithAlpha: 2
            case .color: 3
            case .colorWithAlpha: 4
            }
        }

        /// The permitted bits per sample.
        var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .color, .greyWithAlpha, .colorWithAlpha: [8, 16]
            }
        }
    }

    let size: ImageSize
    /// Bits per sample.
    let depth: Int
    let type: ColorType
    private let isInterlaced: Bool

    /// Parses the file's first chunk.
    init(_ chunk: PNGChunk) throws(ImageError) {
        guard chunk.name == "IHDR" else {
            throw .damaged(format: .png, reason: "its first chunk is not IHDR")
        }
        let data = chunk.data
        guard let width = data.big32(at: 0), let height = data.big32(at: 4), let depth = data[8], let type = data[9],
            let compression = data[10], let filters = data[11], let interlacing = data[12]
        else { throw .truncated(format: .png) }
        guard let type = ColorType(rawValue: Int(type)), type.depths.contains(Int(depth)), compression == 0,
            filters == 0,
            interlacing <= 1
        else {
            let found = "colour type \(type), \(depth) bits, compression \(compression), filters \(filters)"
            throw .damaged(format: .png, reason: "its header is invalid: \(found), interlacing \(interlacing)")
        }
        size = ImageSize(width: width, height: height)
        self.depth = Int(depth)
        self.type = type
        isInterlaced = interlacing == 1
    }

    var bitsPerPixel: Int { type.samples * depth }

    /// The filters' distance in bytes to the pixel on the left; one if several pixels share a byte.
    var pixelBytes: Int { max(bitsPerPixel / 8, 1) }

    /// The passes in which pixels are stored, without empty ones.
    var passes: [PNGPass] {
        let all = isInterlaced ? PNGPass.adam7 : [PNGPass.whole]
        return all.map { $0.filled(size) }.filter { $0.columns > 0 && $0.rows > 0 }
    }
}

/// A subset of a picture's columns and rows, at regular distances, that is stored together: an interlaced file stores
/// coarse pictures first.
struct PNGPass {
    let left: Int
    let top: Int
    /// The distance between columns.
    let right: Int
    /// The distance between rows.
    let down: Int
    private(set) var columns = 0
    private(set) var rows = 0

    private init(_ left: Int, _ top: Int, _ right: Int, _ down: Int) {
        self.left = left
        self.top = top
        self.right = right
        self.down = down
    }

    /// All pixels.
    static let whole = PNGPass(0, 0, 1, 1)

    /// Adam M. Costello's seven passes, section 8.1.
    static let adam7 = [
        PNGPass(0, 0, 8, 8), PNGPass(4, 0, 8, 8), PNGPass(0, 4, 4, 8), PNGPass(2, 0, 4, 4), PNGPass(0, 2, 2, 4),
        PNGPass(1, 0, 2, 2), PNGPass(0, 1, 1, 2),
    ]

    /// The pass, restricted to a picture of this size.
    func filled(_ size: ImageSize) -> PNGPass {
        var pass = self
        pass.columns = (size.width - left + right - 1) / right
        pass.rows = (size.height - top + down - 1) / down
        return pass
    }
}
