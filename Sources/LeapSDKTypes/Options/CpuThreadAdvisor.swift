import Foundation

/// Recommends a number of threads, as versions 0.10 did. Without a number, the engine uses one thread per CPU, which is
/// usually faster.
public struct CpuThreadAdvisor: Sendable {
    /// The shared instance.
    public static let shared = CpuThreadAdvisor()

    private init() {}

    /// Returns the number of active CPUs, but at most 8.
    public func getRecommendedThreadCount() -> Int32 {
        Int32(clamping: min(ProcessInfo.processInfo.activeProcessorCount, 8))
    }

    /// Same as the method of ``shared``.
    public static func getRecommendedThreadCount() -> Int32 { shared.getRecommendedThreadCount() }
}
