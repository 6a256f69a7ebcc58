import Synchronization

/// The computing time that clients have had, across all models that share a machine, so that a client of two models gets no
/// more time than a client of one.
public final class SharedTime: Sendable {
    private let shares: Mutex<TimeShares>
    private let models = Atomic<Int>(0)

    /// Makes a record in which no client has had any time.
    ///
    /// - Parameter lead: How much more computing time a client may have had than another client that waits.
    public init(lead: Duration = SchedulerConfiguration().clientLead) {
        shares = Mutex(TimeShares(lead: lead))
    }

    /// The view of one of the models that share the time.
    ///
    /// Clients that wait for other models count as well: a model waits if all of its clients have had more time than those.
    final class Part: Sendable {
        private let time: SharedTime
        private let number: Int

        init(of time: SharedTime) {
            self.time = time
            number = time.models.add(1, ordering: .relaxed).newValue
        }

        deinit { time.shares.withLock { $0.forget(number) } }

        /// Records which clients can use the model's time now.
        func setPresent(_ accounts: Set<TimeShares.Account>) {
            time.shares.withLock { $0.setPresent(accounts, of: number) }
        }

        /// Whether clients of other models could use the machine's time now.
        var isWantedElsewhere: Bool { time.shares.withLock { $0.isWanted(besides: number) } }

        /// Whether an account may be computed for now.
        func allows(_ account: TimeShares.Account) -> Bool { time.shares.withLock { $0.allows(account) } }

        /// Charges a pass over answers. `accounts` names an account once for each of its answers in the pass.
        func chargeAnswers(_ accounts: some Collection<TimeShares.Account>, _ duration: Duration) {
            time.shares.withLock { $0.chargeAnswers(accounts, duration, of: number) }
        }

        /// Charges computing time to an account.
        func charge(_ account: TimeShares.Account, _ duration: Duration) {
            time.shares.withLock { $0.charge(account, duration) }
        }
    }
}
