#if arch(x86_64)
private import _Builtin_intrinsics.intel.sse2

/// Tells the CPU that this thread is waiting in a loop, so that it leaves its resources to others.
@inline(__always)
func spinHint() { _mm_pause() }
#else
/// Tells the CPU that this thread is waiting in a loop; where no such hint is reachable from Swift, nothing is said.
@inline(__always)
func spinHint() {}
#endif
