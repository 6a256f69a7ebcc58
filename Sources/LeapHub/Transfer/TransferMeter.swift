import Foundation
import Synchronization

/// Adds up the progress of several files and reports it at most ten times a second. A withheld report is sent soon after, so
/// that the last figure is not outdated while a server pauses.
final class TransferMeter: Sendable {
    fileprivate struct State {
        var bytes: [FileName: Int64] = [:]
        var totals: [FileName: Int64] = [:]
        var files: Set<FileName>
        var rate = TransferRate()
        var lastReport: ContinuousClock.Instant?
        /// Whether a report is withheld for later.
        var isWithheld = false
        var hasEnded = false
    }

    private static let interval = Duration.milliseconds(100)

    private let state: Mutex<State>
    private let handler: @Sendable (TransferProgress) -> Void

    init(_ files: [RemoteFile], _ handler: @escaping @Sendable (TransferProgress) -> Void) {
        var state = State(files: Set(files.map(\.name)))
        for file in files { state.totals[file.name] = file.size }
        self.state = Mutex(state)
        self.handler = handler
    }

    /// Records a file's byte count, some of which have just arrived.
    func set(_ file: FileName, bytes: Int64, total: Int64? = nil, arrived: Int64 = 0) {
        let now = ContinuousClock.now
        let progress = state.withLock { state -> TransferProgress? in
            state.bytes[file] = bytes
            if let total { state.totals[file] = total }
            if arrived > 0 { state.rate.add(arrived, at: now) }
            guard let last = state.lastReport, now - last < Self.interval else { return state.makeReport(at: now) }
            if !state.isWithheld {
                state.isWithheld = true
                Task { try await self.reportWithheld(at: last + Self.interval) }
            }
            return nil
        }
        if let progress { handler(progress) }
    }

    private func reportWithheld(at instant: ContinuousClock.Instant) async throws {
        try await Task.sleep(until: instant, clock: .continuous)
        let progress = state.withLock { state in
            state.isWithheld && !state.hasEnded ? state.makeReport(at: .now) : nil
        }
        if let progress { handler(progress) }
    }

    /// Reports the last state, however recent the previous report is.
    func finish() { handler(state.withLock { $0.progress(at: .now) }) }

    /// Tells nothing from now on.
    func end() { state.withLock { $0.hasEnded = true } }
}

extension TransferMeter.State {
    fileprivate mutating func makeReport(at now: ContinuousClock.Instant) -> TransferProgress {
        lastReport = now
        isWithheld = false
        return progress(at: now)
    }

    fileprivate func progress(at now: ContinuousClock.Instant) -> TransferProgress {
        let isKnown = files.allSatisfy { totals[$0] != nil }
        return TransferProgress(
            bytes: bytes.values.reduce(0, +), total: isKnown ? totals.values.reduce(0, +) : nil,
            bytesPerSecond: rate.bytesPerSecond(at: now))
    }
}
