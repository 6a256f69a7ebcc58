import LeapConstraints
import Synchronization

/// Makes the token masks of one constraint: at once, or on another thread where a mask may take long.
///
/// Most masks take microseconds to milliseconds, but grammars come with requests, and a mask of hundreds of paths through one
/// may take a second. Answers of others must not wait for it.
final class MaskMaker: Sendable {
    private let masker: Mutex<TokenMasker>
    /// Masks that are being made, or wait to be, on the other thread.
    private let pending = Atomic<Int>(0)

    init(_ constraint: Constraint, _ vocabulary: TokenVocabulary) {
        masker = Mutex(TokenMasker(constraint, vocabulary))
    }

    /// Whether another thread makes masks, for which others may have to wait.
    var isBusy: Bool { pending.load(ordering: .acquiring) > 0 }

    /// The tokens that may come next.
    func mask(for state: ConstraintState) -> TokenMask { masker.withLock { $0.mask(for: state) } }

    /// The tokens that may come next, if they are found quickly.
    func quickMask(for state: ConstraintState) -> TokenMask? {
        masker.withLockIfAvailable { $0.isQuick(for: state) ? $0.mask(for: state) : nil } ?? nil
    }

    /// Begins to make a mask on another thread.
    ///
    /// - Parameters:
    ///   - client: Whose answer needs it.
    ///   - done: Called on the other thread once it is made, with the time that it took.
    func begin(
        _ state: ConstraintState, for client: TimeShares.Account, done: @escaping @Sendable (Duration) -> Void
    ) -> PendingMask {
        let mask = PendingMask()
        pending.wrappingAdd(1, ordering: .acquiringAndReleasing)
        MaskQueue.shared.add(for: client) { [self] in
            let begin = ContinuousClock.now
            if !mask.isAbandoned { mask.finish(self.mask(for: state)) }
            pending.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            done(.now - begin)
        }
        return mask
    }
}

/// A mask that is made on another thread.
final class PendingMask: Sendable {
    private let made = Mutex<TokenMask?>(nil)
    private let abandoned = Atomic<Bool>(false)

    /// The mask; `nil` until it is made.
    var result: TokenMask? { made.withLock { $0 } }

    /// Whether nobody needs it any more.
    fileprivate var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    fileprivate func finish(_ mask: TokenMask) { made.withLock { $0 = mask } }

    /// Spares the work if it has not begun.
    func abandon() { abandoned.store(true, ordering: .relaxed) }
}
