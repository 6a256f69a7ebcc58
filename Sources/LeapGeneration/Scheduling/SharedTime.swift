import Synchronization

/// The time that clients have had of the models that share a machine, so that who asks two of them gets no more of it than who
/// asks one.
public final class SharedTime: Sendable {
    private let shares: Mutex<TimeShares>
    private let models = Atomic<Int>(0)

    /// Time of which nobody has had any.
    ///
    /// - Parameter lead: How much longer a client may have been computed for than another that waits.
    public init(lead: Duration = SchedulerConfiguration().clientLead) {
        shares = Mutex(TimeShares(lead: lead))
    }

    /// What one of the models that share it says and asks.
    ///
    /// Who could use the time of another model counts here too: a model whose clients have all had more than those waits.
    final class Part: Sendable {
        private let time: SharedTime
        private let number: Int

        init(of time: SharedTime) {
            self.time = time
            number = time.models.add(1, ordering: .relaxed).newValue
        }

        deinit { time.shares.withLock { $0.forget(number) } }

        /// Notes who can use the model's time now.
        func note(_ accounts: Set<TimeShares.Account>) { time.shares.withLock { $0.note(accounts, of: number) } }

        /// Whether it is an account's turn, if need be beside others.
        func allows(_ account: TimeShares.Account) -> Bool { time.shares.withLock { $0.allows(account) } }

        /// Notes that a pass took answers further, one of an account for each time that it is named.
        func chargeAnswers(_ accounts: some Collection<TimeShares.Account>, _ duration: Duration) {
            time.shares.withLock { $0.chargeAnswers(accounts, duration, of: number) }
        }

        /// Notes that an account was computed for.
        func charge(_ account: TimeShares.Account, _ duration: Duration) {
            time.shares.withLock { $0.charge(account, duration) }
        }
    }
}
