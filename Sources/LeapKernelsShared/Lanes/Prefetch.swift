#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
private import Builtin

/// Asks the CPU to bring the cache line at an address into all caches, and does not wait for it. The address need not be
/// readable.
///
/// Attention computes so much per byte that the loads which a CPU sees ahead of time are too few to keep memory busy.
/// The C intrinsics for this are macros, or are dropped by the compiler as calls without effect; its builtin is not.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer) {
    let (read, allCaches, data) = (Int32(0)._value, Int32(3)._value, Int32(1)._value)
    Builtin.int_prefetch_RawPointer(address._rawValue, read, allCaches, data)
}

/// Asks for `count` bytes from an address on.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer, count: Int) {
    for line in stride(from: 0, to: count, by: 64) { prefetch(address + line) }
}

/// Asks for `count` bytes likewise, but not into the smallest cache, which has no room for what is read much later.
@inline(__always)
func prefetchForLater(_ address: UnsafeRawPointer, count: Int) {
    let (read, allButFirst, data) = (Int32(0)._value, Int32(2)._value, Int32(1)._value)
    for line in stride(from: 0, to: count, by: 64) {
        Builtin.int_prefetch_RawPointer((address + line)._rawValue, read, allButFirst, data)
    }
}

/// Prefetches `count` bytes at a fixed distance ahead of an address, for a loop that will read them.
///
/// - Parameter count: A constant, so that this becomes as many instructions as there are cache lines.
@inline(__always)
func prefetchAhead(of address: UnsafeRawPointer, _ count: Int) {
    prefetch(address + prefetchDistance, count: count)
}

/// Bytes ahead: from 1.5 to 3 KB there is no difference, and little is read for nothing after the last row.
@inline(__always)
private var prefetchDistance: Int { 2048 }
#endif
