/// Shares the time that models compute among clients, however many requests each of them has, and to whichever models.
///
/// Start-time fair queueing (Goyal, Vin and Cheng 1996), in seconds of computing: whoever can use time and had least of it stands
/// at the floor, nobody gets further above it than a lead, and who was away comes back at the floor, not with claims from
/// before.
struct TimeShares {
    /// Who is counted.
    struct Account: Hashable {
        /// The client.
        let client: String
        /// Whether nobody waits for its answers.
        let isBackground: Bool

        /// What a second costs: nobody waits for answers in the background, so they get one of 21 beside another account.
        fileprivate var price: Double { isBackground ? 20 : 1 }
    }

    /// Seconds.
    private let lead: Double
    private var time: [Account: Double] = [:]
    private var floor = 0.0
    /// Those that could use time lately, by the number of the model that computes for them.
    private var present: [Int: Set<Account>] = [:]
    /// Seconds that the next token of a model's answer takes, in the usual company.
    private var secondsPerAnswer: [Int: Double] = [:]
    /// Weight of what was just seen in that.
    private static let learning = 0.05

    init(lead: Duration) {
        self.lead = lead / .seconds(1)
    }

    /// Notes who can use a model's time now; those of the other models stay as they are.
    mutating func note(_ accounts: Set<Account>, of model: Int = 0) {
        if accounts != present[model] ?? [] {
            for account in accounts where !isPresent(account) { time[account] = max(floor, time[account] ?? 0) }
            present[model] = accounts.isEmpty ? nil : accounts
        }
        raiseFloor()
        // Who stands below the floor comes back at the floor.
        if time.contains(where: { $0.value <= floor && !isPresent($0.key) }) {
            time = time.filter { $0.value > floor || isPresent($0.key) }
        }
    }

    /// The floor is where those stand who had the least.
    private mutating func raiseFloor() {
        var least = Double.infinity
        for accounts in present.values {
            for account in accounts { least = min(least, time[account] ?? .infinity) }
        }
        if least.isFinite { floor = max(floor, least) }
    }

    /// Forgets a model that is gone.
    mutating func forget(_ model: Int) {
        note([], of: model)
        secondsPerAnswer[model] = nil
    }

    private func isPresent(_ account: Account) -> Bool { present.values.contains { $0.contains(account) } }

    /// Whether it is an account's turn, if need be beside others.
    func allows(_ account: Account) -> Bool {
        (time[account] ?? floor) - floor <= lead
    }

    /// Notes that a pass took answers further, one of an account for each time that it is named.
    ///
    /// A token costs the same in whatever company: of many, each takes less time, and who has only one would pay more for it.
    mutating func chargeAnswers(_ accounts: some Collection<Account>, _ duration: Duration, of model: Int = 0) {
        guard !accounts.isEmpty else { return }
        let seconds = duration / .seconds(1) / Double(accounts.count)
        let usual = secondsPerAnswer[model].map { $0 + (seconds - $0) * Self.learning } ?? seconds
        secondsPerAnswer[model] = usual
        for account in accounts { charge(account, .seconds(usual)) }
    }

    /// Notes that an account was computed for.
    mutating func charge(_ account: Account, _ duration: Duration) {
        time[account] = (time[account] ?? floor) + duration / .seconds(1) * account.price
    }
}
