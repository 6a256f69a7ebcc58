import Dispatch
import LeapConstraints
import Synchronization

/// Makes the token masks of one constraint: at once, or on another thread where a mask may take long.
///
/// A mask of a few paths through a grammar takes microseconds to milliseconds, but grammars come with requests, and one of
/// hundreds of paths may take a second. Answers of others must not wait for it.
final class MaskMaker: Sendable {
    private let masker: Mutex<TokenMasker>
    /// Masks that are being made, or wait to be, on the other thread.
    private let pending = Atomic<Int>(0)

    /// One mask at a time in the whole process, so that the other CPUs remain for the passes.
    static let queue = DispatchQueue(label: "leap.masks", qos: .userInitiated)
    /// A mask of this many paths is made at once.
    private static let fewPaths = 8

    init(_ constraint: Constraint, _ vocabulary: TokenVocabulary) {
        masker = Mutex(TokenMasker(constraint, vocabulary))
    }

    /// Whether ``mask(for:)`` may take long, or would wait for another mask that does.
    func mayTakeLong(for state: ConstraintState) -> Bool {
        state.pathCount > Self.fewPaths || pending.load(ordering: .acquiring) > 0
    }

    /// The tokens that may come next.
    func mask(for state: ConstraintState) -> TokenMask { masker.withLock { $0.mask(for: state) } }

    /// Begins to make a mask on another thread.
    ///
    /// - Parameter ready: Signalled once it is made.
    func begin(_ state: ConstraintState, ready: DispatchSemaphore) -> PendingMask {
        let mask = PendingMask()
        pending.wrappingAdd(1, ordering: .acquiringAndReleasing)
        Self.queue.async { [self] in
            if !mask.isAbandoned {
                let begin = ContinuousClock.now
                mask.finish(self.mask(for: state), after: .now - begin)
            }
            pending.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            ready.signal()
        }
        return mask
    }
}

/// A mask that is made on another thread.
final class PendingMask: Sendable {
    private let made = Mutex<(mask: TokenMask, duration: Duration)?>(nil)
    private let abandoned = Atomic<Bool>(false)

    /// The mask, and how long it took; `nil` until it is made.
    var result: (mask: TokenMask, duration: Duration)? { made.withLock { $0 } }

    /// Whether nobody needs it any more.
    fileprivate var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    fileprivate func finish(_ mask: TokenMask, after duration: Duration) { made.withLock { $0 = (mask, duration) } }

    /// Spares the work if it has not begun.
    func abandon() { abandoned.store(true, ordering: .relaxed) }
}
