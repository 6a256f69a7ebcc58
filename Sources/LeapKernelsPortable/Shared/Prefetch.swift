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
