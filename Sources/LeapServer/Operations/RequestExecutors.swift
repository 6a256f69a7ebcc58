import Foundation
import LeapEngine

/// The threads on which requests are read and prepared.
///
/// To parse, tokenise or compile what a client sends can take seconds. The threads that Swift concurrency shares among all
/// tasks are as few as the processors, and every stream needs them, so that this happens on other ones.
final class RequestExecutors: Sendable {
    /// Large requests that are worked on at a time.
    static let largeRequests = max(2, ProcessInfo.processInfo.activeProcessorCount)

    /// Bytes of a body beyond which requests take turns: many large ones at a time would leave the engine's passes little
    /// of the processors, and what is made of a body on the way takes many times its memory.
    static let smallSize = 1 << 16

    private let large = PoolExecutor("leap.request.large", quality, threads: largeRequests)

    /// Not the engine's, whose passes must find a thread however many requests there are.
    private static let quality = DispatchQoS.default

    /// The executor of a request; `nil` for one without a body, which is little work.
    func executor(for exchange: Exchange) -> (any TaskExecutor)? {
        guard !exchange.body.isEmpty else { return nil }
        guard exchange.body.count <= Self.smallSize else { return large }
        return QueueExecutor("leap.request", Self.quality)
    }
}
