#if arch(arm64)
public import LeapBlocks

/// The base table, with faster tiles of quants by the 8-bit matrix products of Armv8.6. Tiles of floats and everything
/// else come from the base.
public func i8mmTable(over base: KernelTable) -> KernelTable {
    base.improved(
        to: .i8mm, peaks: PeakKernels(floats: base.peaks.floats, bytes: peakBytes()), tiles: quantTileKernels(of:))
}
#endif
