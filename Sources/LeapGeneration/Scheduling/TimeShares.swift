/// Shares computing time fairly among clients, however many requests each of them has, and to whichever models.
///
/// Start-time fair queueing (Goyal, Vin and Cheng 1996), in seconds of computing time. The floor is the time of the account
/// that has had the least among those that can use time now. An account more than a lead above the floor must wait. An
/// account that was idle returns at the floor, without credit for the time in which it was idle.
struct TimeShares {
    /// Who is counted.
    struct Account: Hashable {
        /// The client.
        let client: String
        /// Whether its answers are background work.
        let isBackground: Bool

        /// The price of a second. Nobody waits for background answers, so they get 1/21 of the time next to one other
        /// account.
        fileprivate var price: Double { isBackground ? 20 : 1 }
    }

    /// Seconds.
    private let lead: Double
    private var time: [Account: Double] = [:]
    private var floor = 0.0
    /// The accounts that can use time now, by the number of the model that computes for them.
    private var present: [Int: Set<Account>] = [:]
    /// Seconds per token of an answer of a model, at the usual batch size: a moving average.
    private var secondsPerAnswer: [Int: Double] = [:]
    /// Weight of what was just seen in that.
    private static let smoothing = 0.05

    init(lead: Duration) {
        self.lead = lead / .seconds(1)
    }

    /// Sets the accounts that can use a model's time now. Those of other models do not change.
    mutating func setPresent(_ accounts: Set<Account>, of model: Int = 0) {
        if accounts != present[model] ?? [] {
            for account in accounts where !isPresent(account) { time[account] = max(floor, time[account] ?? 0) }
            present[model] = accounts.isEmpty ? nil : accounts
        }
        raiseFloor()
        // Forget idle accounts that are not above the floor: they would return at the floor anyway.
        if time.contains(where: { $0.value <= floor && !isPresent($0.key) }) {
            time = time.filter { $0.value > floor || isPresent($0.key) }
        }
    }

    /// Raises the floor to the least time of all present accounts.
    private mutating func raiseFloor() {
        var least = Double.infinity
        for accounts in present.values {
            for account in accounts { least = min(least, time[account] ?? .infinity) }
        }
        if least.isFinite { floor = max(floor, least) }
    }

    /// Removes a model that was unloaded.
    mutating func forget(_ model: Int) {
        setPresent([], of: model)
        secondsPerAnswer[model] = nil
    }

    /// Whether an account can use the time of another model now.
    func isWanted(besides model: Int) -> Bool { present.contains { $0.key != model && !$0.value.isEmpty } }

    private func isPresent(_ account: Account) -> Bool { present.values.contains { $0.contains(account) } }

    /// Whether an account may be computed for now.
    func allows(_ account: Account) -> Bool {
        (time[account] ?? floor) - floor <= lead
    }

    /// Charges a pass over answers. `accounts` names an account once for each of its answers in the pass.
    ///
    /// A token costs the moving average, whatever the batch size: a token in a large batch takes less time, so charging the
    /// actual time would make an answer that is decoded alone more expensive.
    mutating func chargeAnswers(_ accounts: some Collection<Account>, _ duration: Duration, of model: Int = 0) {
        guard !accounts.isEmpty else { return }
        let seconds = duration / .seconds(1) / Double(accounts.count)
        let usual = secondsPerAnswer[model].map { $0 + (seconds - $0) * Self.smoothing } ?? seconds
        secondsPerAnswer[model] = usual
        for account in accounts { charge(account, .seconds(usual)) }
    }

    /// Charges computing time to an account.
    mutating func charge(_ account: Account, _ duration: Duration) {
        time[account] = (time[account] ?? floor) + duration / .seconds(1) * account.price
    }
}
