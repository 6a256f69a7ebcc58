import Foundation
import LeapEngine
import Synchronization

/// The threads on which requests are read and prepared.
///
/// To parse, tokenise or compile what a client sends can take seconds. The threads that Swift concurrency shares among all
/// tasks are as few as the processors, and every stream needs them, so that this happens on other ones.
final class RequestExecutors: Sendable {
    private let large = (0..<max(2, ProcessInfo.processInfo.activeProcessorCount)).map { _ in make() }
    private let number = Atomic<UInt>(0)

    /// Bytes of a body beyond which requests take turns on some threads: what is made of it on the way takes many times its
    /// memory.
    private static let smallSize = 1 << 20

    /// The executor of a request; `nil` for one without a body, which is little work.
    func executor(for exchange: Exchange) -> QueueExecutor? {
        guard !exchange.body.isEmpty else { return nil }
        guard exchange.body.count > Self.smallSize else { return Self.make() }
        return large[Int(number.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(large.count))]
    }

    /// Not of the engine's quality, whose passes must find a thread however many requests there are.
    private static func make() -> QueueExecutor { QueueExecutor("leap.request", .default) }
}
