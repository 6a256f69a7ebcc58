import Foundation
import Synchronization

/// Adds up the progress of several files and tells it, at most ten times a second.
final class TransferMeter: Sendable {
    fileprivate struct State {
        var bytes: [FileName: Int64] = [:]
        var totals: [FileName: Int64] = [:]
        var files: Set<FileName>
        var rate = TransferRate()
        var told: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let handler: @Sendable (TransferProgress) -> Void

    init(_ files: [RemoteFile], _ handler: @escaping @Sendable (TransferProgress) -> Void) {
        var state = State(files: Set(files.map(\.name)))
        for file in files { state.totals[file.name] = file.size }
        self.state = Mutex(state)
        self.handler = handler
    }

    /// A file has so many bytes now, of which some have just arrived.
    func set(_ file: FileName, bytes: Int64, total: Int64? = nil, arrived: Int64 = 0) {
        let now = ContinuousClock.now
        let progress = state.withLock { state -> TransferProgress? in
            state.bytes[file] = bytes
            if let total { state.totals[file] = total }
            if arrived > 0 { state.rate.add(arrived, at: now) }
            if let told = state.told, now - told < .milliseconds(100) { return nil }
            state.told = now
            return state.progress(at: now)
        }
        if let progress { handler(progress) }
    }

    /// Tells the last state, whenever it was told before.
    func finish() { handler(state.withLock { $0.progress(at: .now) }) }
}

extension TransferMeter.State {
    fileprivate func progress(at now: ContinuousClock.Instant) -> TransferProgress {
        let isKnown = files.allSatisfy { totals[$0] != nil }
        return TransferProgress(
            bytes: bytes.values.reduce(0, +), total: isKnown ? totals.values.reduce(0, +) : nil,
            bytesPerSecond: rate.bytesPerSecond(at: now))
    }
}
