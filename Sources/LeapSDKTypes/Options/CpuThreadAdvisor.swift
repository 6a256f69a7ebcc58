import Foundation

/// Recommends a number of threads, as versions 0.10 did. Without a number this engine uses one per CPU, which is mostly
/// better.
public struct CpuThreadAdvisor: Sendable {
    /// The advisor.
    public static let shared = CpuThreadAdvisor()

    private init() {}

    /// The CPUs that are there, but at most 8.
    public func getRecommendedThreadCount() -> Int32 {
        Int32(clamping: min(ProcessInfo.processInfo.activeProcessorCount, 8))
    }

    /// Same as the function of ``shared``.
    public static func getRecommendedThreadCount() -> Int32 { shared.getRecommendedThreadCount() }
}
