#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
private import Builtin

/// Prefetches the cache line at an address into all cache levels, without waiting. The address need not be readable.
///
/// Attention computes so much per byte that the loads a CPU can issue ahead of time are too few to keep memory busy.
/// The C intrinsics for prefetching are macros, or the compiler drops them as calls without effect; it keeps its
/// builtin.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer) {
    let (read, allCaches, data) = (Int32(0)._value, Int32(3)._value, Int32(1)._value)
    Builtin.int_prefetch_RawPointer(address._rawValue, read, allCaches, data)
}

/// Prefetches `count` bytes from an address on.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer, count: Int) {
    for line in stride(from: 0, to: count, by: 64) { prefetch(address + line) }
}

/// Prefetches `count` bytes likewise, but not into the first-level cache, which has no room for data that are used much
/// later.
@inline(__always)
func prefetchForLater(_ address: UnsafeRawPointer, count: Int) {
    let (read, allButFirst, data) = (Int32(0)._value, Int32(2)._value, Int32(1)._value)
    for line in stride(from: 0, to: count, by: 64) {
        Builtin.int_prefetch_RawPointer((address + line)._rawValue, read, allButFirst, data)
    }
}

/// Prefetches `count` bytes that will be written, likewise not into the first-level cache.
@inline(__always)
func prefetchForWriting(_ address: UnsafeRawPointer, count: Int) {
    let (write, allButFirst, data) = (Int32(1)._value, Int32(2)._value, Int32(1)._value)
    for line in stride(from: 0, to: count, by: 64) {
        Builtin.int_prefetch_RawPointer((address + line)._rawValue, write, allButFirst, data)
    }
}

/// Prefetches `count` bytes at a fixed distance ahead of an address, for a loop that will read them.
///
/// - Parameter count: A constant, so that this compiles to one instruction per cache line.
@inline(__always)
func prefetchAhead(of address: UnsafeRawPointer, _ count: Int) {
    prefetch(address + prefetchDistance, count: count)
}

/// Bytes ahead: measured as equal from 1.5 to 3 KB, and few enough that little is fetched in vain after the last row.
@inline(__always)
private var prefetchDistance: Int { 2048 }
#endif
