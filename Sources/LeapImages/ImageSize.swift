/// Width and height in pixels.
public struct ImageSize: Sendable, Hashable {
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int

    /// The size of these sides.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

extension ImageSize: CustomStringConvertible {
    /// Width before height, as programs for pictures write it.
    public var description: String { "\(width)×\(height)" }
}
