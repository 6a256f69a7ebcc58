#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Memory that ends where a page without access begins, so that reading or writing one byte too many is a fault.
///
/// The bytes start wherever their count puts them: at any alignment, as rows of blocks do in a file.
///
/// Where the environment has `LEAP_UNGUARDED`, the page behind can be accessed: an emulator (QEMU 7 among them) may read
/// what a masked load leaves out.
public final class GuardedBuffer {
    /// The first byte.
    public let start: UnsafeMutableRawPointer
    /// The number of bytes.
    public let count: Int

    private let mapping: UnsafeMutableRawPointer
    private let mappingSize: Int

    /// Maps `count` bytes, all zero.
    public init(count: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let usable = (count + page - 1) / page * page
        mappingSize = usable + page
        let flags = MAP_PRIVATE | MAP_ANON
        guard let mapping = mmap(nil, mappingSize, PROT_READ | PROT_WRITE, flags, -1, 0), mapping != MAP_FAILED,
            getenv("LEAP_UNGUARDED") != nil || mprotect(mapping + usable, page, PROT_NONE) == 0
        else { fatalError("cannot map \(mappingSize) bytes of guarded memory") }
        self.mapping = mapping
        self.count = count
        self.start = mapping + usable - count
    }

    /// Maps a copy of `bytes`.
    public convenience init(bytes: [UInt8]) {
        self.init(count: bytes.count)
        bytes.withUnsafeBytes { start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: $0.count) }
    }

    /// Maps a copy of `floats`.
    public convenience init(floats: [Float]) {
        self.init(count: floats.count * 4)
        self.floats.update(from: floats, count: floats.count)
    }

    deinit { munmap(mapping, mappingSize) }

    /// The bytes as floats.
    public var floats: UnsafeMutablePointer<Float> { start.assumingMemoryBound(to: Float.self) }

    /// The bytes as half-precision bit patterns.
    public var halves: UnsafeMutablePointer<UInt16> { start.assumingMemoryBound(to: UInt16.self) }

    /// A copy of the bytes.
    public var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }

    /// A copy of the bytes as floats.
    public var floatArray: [Float] { Array(UnsafeBufferPointer(start: floats, count: count / 4)) }
}
