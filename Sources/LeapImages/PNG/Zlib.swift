/// The functions of zlib that inflate. Source: zlib.h; the structure has been the same since version 1.0.
struct Zlib: Sendable {
    /// `z_stream`. `inflateInit_` is passed the size and rejects another one.
    struct Stream {
        var nextIn: UnsafePointer<UInt8>?
        var availableIn: UInt32 = 0
        var totalIn: UInt = 0
        var nextOut: UnsafeMutablePointer<UInt8>?
        var availableOut: UInt32 = 0
        var totalOut: UInt = 0
        var message: UnsafePointer<CChar>?
        var state: UnsafeMutableRawPointer?
        var allocate: UnsafeMutableRawPointer?
        var free: UnsafeMutableRawPointer?
        var opaque: UnsafeMutableRawPointer?
        var dataType: Int32 = 0
        var checksum: UInt = 0
        var reserved: UInt = 0
    }

    private typealias Initialize =
        @convention(c) (UnsafeMutableRawPointer, _ version: UnsafePointer<CChar>, _ size: Int32) -> Int32
    private typealias Inflate = @convention(c) (UnsafeMutableRawPointer, _ flush: Int32) -> Int32
    private typealias End = @convention(c) (UnsafeMutableRawPointer) -> Int32

    /// `Z_OK`.
    static let ok: Int32 = 0
    /// `Z_STREAM_END`.
    static let streamEnd: Int32 = 1
    /// `Z_BUF_ERROR`: there is no input, or no room for output.
    static let noProgress: Int32 = -5

    /// The library's file.
    static let name = "libz.so.1"
    static let missing = ImageError.missingLibrary(format: .png, library: name, package: "zlib1g")
    /// The library; `nil` if it is not installed.
    static let shared = Zlib()

    private let initializeStream: Initialize
    private let inflateStream: Inflate
    private let endStream: End

    private init?() {
        guard let library = SystemLibrary([Self.name, "libz.so", "/usr/lib/libz.1.dylib"]),
            let initialize = library.function("inflateInit_", as: Initialize.self),
            let inflate = library.function("inflate", as: Inflate.self),
            let end = library.function("inflateEnd", as: End.self)
        else { return nil }
        initializeStream = initialize
        inflateStream = inflate
        endStream = end
    }

    /// Initialises a stream; `false` on failure. The library compares only the first character of the version that the
    /// program was built for.
    func begin(_ stream: UnsafeMutablePointer<Stream>) -> Bool {
        initializeStream(stream, "1", Int32(MemoryLayout<Stream>.size)) == Self.ok
    }

    /// Inflates as much as the input and the output buffer allow.
    func inflate(_ stream: UnsafeMutablePointer<Stream>) -> Int32 { inflateStream(stream, 0) }

    /// Frees a stream's memory.
    func end(_ stream: UnsafeMutablePointer<Stream>) { _ = endStream(stream) }
}
