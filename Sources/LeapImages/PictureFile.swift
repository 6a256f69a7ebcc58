/// A file whose header has been read, and whose pixels have not.
protocol PictureFile {
    /// The file's format.
    var format: ImageFormat { get }
    /// The size at which it is stored.
    var size: ImageSize { get }
    /// How it is to be shown.
    var orientation: Orientation { get }
    /// The pixels as they are stored. Only called for sizes within the limits.
    func decoded() throws(ImageError) -> RGBImage
}
