internal import LeapBlocks

/// The baseline has no instruction that multiplies bytes.
func peakBytes() -> PeakKernel? { nil }
