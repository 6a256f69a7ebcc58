#if arch(arm64)
public import LeapBlocks

/// A table with what the products of 8-bit matrices of Armv8.6 do better: tiles of quants. Plain floats and everything else
/// are the base's.
public func i8mmTable(over base: KernelTable) -> KernelTable {
    base.improved(
        to: .i8mm, peaks: PeakKernels(floats: base.peaks.floats, bytes: peakBytes()), tiles: quantTileKernels(of:))
}
#endif
