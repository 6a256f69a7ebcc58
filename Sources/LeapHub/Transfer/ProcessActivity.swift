import Foundation
import Synchronization

/// Lets transfers go on for a while when an app has left the foreground, and ends them before the system suspends the
/// process, which must not hold file locks then: the system ends an app that does so in a folder that apps share.
package struct ProcessActivity: Sendable {
    /// Calls its argument on another thread, and keeps the process running until that returns. `false` begins an activity.
    /// `true` means that the process is about to be suspended: during the activity, or instead of it.
    package typealias Perform = @Sendable (_ body: @escaping @Sendable (_ isExpiring: Bool) -> Void) -> Void

    private let perform: Perform?
    private let pause: Duration

    /// - Parameters:
    ///   - perform: `nil` where the system does not suspend processes.
    ///   - pause: How long to wait before work begins again, of the time in which the process runs.
    package init(perform: Perform?, pause: Duration = .seconds(1)) {
        self.perform = perform
        self.pause = pause
    }

    /// The system's.
    package static let system: ProcessActivity = {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        ProcessActivity { body in
            ProcessInfo.processInfo.performExpiringActivity(withReason: "Downloading a model", using: body)
        }
        #else
        ProcessActivity(perform: nil)
        #endif
    }()

    /// Runs work that can be cancelled and begun again at any time. It is cancelled when the process is about to be
    /// suspended, and begins again when the process runs again.
    ///
    /// - Throws: What the work throws, or `CancellationError` if the current task is cancelled.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let perform else { return try await work() }
        // A process to which the system grants no activity has another reason to run; once it has been suspended, it evidently had none.
        var needsActivity = false
        while true {
            let task = Task { try await work() }
            let hold = Hold(isNeeded: needsActivity) { task.cancel() }
            perform { isExpiring in
                if isExpiring { hold.expire() } else { hold.wait() }
            }
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            let hasExpired = hold.end()
            // Work that ended in another way, in spite of everything, counts.
            guard hasExpired, case .failure(let error) = result, error is CancellationError else {
                return try result.get()
            }
            try Task.checkCancellation()
            needsActivity = true
            // Without a pause a process that may not run in the background would try in vain until it is suspended.
            try await Task.sleep(for: pause, clock: .suspending)
        }
    }

    /// An activity: the thread that the system waits for.
    private final class Hold: Sendable {
        private struct State {
            var hasBegun = false
            /// Whether the system wanted it to end.
            var isUnwanted = false
        }

        private let state = Mutex(State())
        private let ended = DispatchSemaphore(value: 0)
        /// Whether work must not go on if the system grants no activity.
        private let isNeeded: Bool
        private let cancel: @Sendable () -> Void

        init(isNeeded: Bool, cancel: @escaping @Sendable () -> Void) {
            self.isNeeded = isNeeded
            self.cancel = cancel
        }

        /// Waits for the end of the work, which closes its files.
        func wait() {
            state.withLock { $0.hasBegun = true }
            cancelIfExpired()
            ended.wait()
        }

        func expire() {
            state.withLock { $0.isUnwanted = true }
            cancelIfExpired()
        }

        /// - Returns: Whether the process was about to be suspended.
        func end() -> Bool {
            ended.signal()
            return hasExpired
        }

        private var hasExpired: Bool { state.withLock { $0.isUnwanted && ($0.hasBegun || isNeeded) } }

        // The threads of both calls may come in any order.
        private func cancelIfExpired() { if hasExpired { cancel() } }
    }
}
