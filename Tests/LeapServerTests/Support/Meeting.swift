#if Server
import Foundation
import Synchronization

/// Work that blocks its thread until all of several are at it.
final class Meeting: Sendable {
    private let state = Mutex((present: 0, isOver: false))

    /// How many are there.
    var count: Int { state.withLock(\.present) }

    func attend() {
        state.withLock { $0.present += 1 }
        // On Swift's own threads the test could not end it.
        let end = ContinuousClock.now + .seconds(30)
        while !state.withLock(\.isOver), .now < end { Thread.sleep(forTimeInterval: 0.001) }
        state.withLock { $0.present -= 1 }
    }

    func end() { state.withLock { $0.isOver = true } }
}
#endif
