import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// Clients share time, whatever they ask for.
@Suite("Time shares")
struct TimeSharesTests {
    private typealias Account = TimeShares.Account
    private static let (quiet, greedy) = (
        Account(client: "quiet", isBackground: false), Account(client: "greedy", isBackground: false)
    )

    /// Simulates two accounts that use time for a while, one of which takes longer than the other in each of its turns.
    ///
    /// - Returns: What each got.
    private func run(
        _ shares: inout TimeShares, _ costs: [Account: Duration], rounds: Int = 1_000
    ) -> [Account: Duration] {
        var spent: [Account: Duration] = [:]
        for _ in 0..<rounds {
            shares.setPresent(Set(costs.keys))
            let turn = costs.filter { shares.allows($0.key) }
            #expect(!turn.isEmpty)
            for (account, cost) in turn {
                shares.charge(account, cost)
                spent[account, default: .zero] += cost
            }
        }
        return spent
    }

    @Test("who asks for more gets no more, but for the lead", arguments: [0, 1, 5])
    func equality(lead: Int) throws {
        var shares = TimeShares(lead: .seconds(lead))
        let spent = run(&shares, [Self.quiet: .milliseconds(20), Self.greedy: .milliseconds(220)])
        let (quiet, greedy) = (try #require(spent[Self.quiet]), try #require(spent[Self.greedy]))
        #expect(greedy > quiet - .milliseconds(20))
        #expect(greedy - quiet <= .seconds(lead) + .milliseconds(220))
    }

    @Test("a token costs the same in whatever company")
    func company() {
        var shares = TimeShares(lead: .milliseconds(100))
        var tokens: [Account: Int] = [:]
        for _ in 0..<2_000 {
            shares.setPresent([Self.quiet, Self.greedy])
            let rows = [Self.quiet] + Array(repeating: Self.greedy, count: 13)
            let group = rows.filter { shares.allows($0) }
            // As kernels have it: much for the first row, little for further ones.
            shares.chargeAnswers(group, .milliseconds(20 + 5 * group.count))
            for account in group { tokens[account, default: 0] += 1 }
        }
        let share = Double(tokens[Self.greedy] ?? 0) / Double(tokens[Self.quiet] ?? 1)
        #expect((0.95...1.05).contains(share))
    }

    @Test("nobody waits where nobody else can use the time")
    func alone() {
        var shares = TimeShares(lead: .zero)
        let spent = run(&shares, [Self.greedy: .seconds(1)])
        #expect(spent[Self.greedy] == .seconds(1_000))
    }

    @Test("who comes, or comes back, has neither claims nor debts from before but what it is ahead")
    func returning() {
        var shares = TimeShares(lead: .seconds(1))
        _ = run(&shares, [Self.greedy: .seconds(1)])
        shares.setPresent([Self.quiet, Self.greedy])
        #expect(shares.allows(Self.quiet) && shares.allows(Self.greedy))
        shares.charge(Self.greedy, .seconds(3))
        shares.setPresent([Self.quiet])
        shares.setPresent([Self.quiet, Self.greedy])
        #expect(!shares.allows(Self.greedy))
        shares.setPresent([Self.quiet])
        shares.charge(Self.quiet, .seconds(9))
        shares.setPresent([Self.quiet])
        shares.setPresent([Self.quiet, Self.greedy])
        #expect(shares.allows(Self.quiet) && shares.allows(Self.greedy))
    }

    @Test("answers in the background get a little beside others, and everything alone")
    func background() throws {
        let background = Account(client: "quiet", isBackground: true)
        var shares = TimeShares(lead: .seconds(1))
        _ = run(&shares, [background: .milliseconds(100)])
        let spent = run(
            &shares, [Self.quiet: .milliseconds(100), background: .milliseconds(100)], rounds: 10_000)
        let share = try #require(spent[background]) / #require(spent[Self.quiet])
        #expect((0.04...0.06).contains(share))
    }

    @Test("who asks two models gets as much as who asks one")
    func models() throws {
        var shares = TimeShares(lead: .milliseconds(100))
        var spent: [Account: Duration] = [:]
        for round in 0..<2_000 {
            shares.setPresent([Self.greedy], of: 1)
            shares.setPresent([Self.greedy, Self.quiet], of: 2)
            // The machine computes for one model at a time, in turns.
            let model = round % 2 + 1
            let turn = (model == 1 ? [Self.greedy] : [Self.greedy, Self.quiet]).filter { shares.allows($0) }
            for account in turn {
                shares.charge(account, .milliseconds(20))
                spent[account, default: .zero] += .milliseconds(20)
            }
        }
        let share = try #require(spent[Self.greedy]) / #require(spent[Self.quiet])
        #expect((0.95...1.05).contains(share))
    }

    @Test("a model whose clients have all had more waits for the others' as long as they are there")
    func waiting() {
        var shares = TimeShares(lead: .seconds(1))
        shares.setPresent([Self.greedy], of: 1)
        shares.setPresent([Self.quiet], of: 2)
        shares.charge(Self.greedy, .seconds(2))
        #expect(!shares.allows(Self.greedy) && shares.allows(Self.quiet))
        shares.forget(2)
        shares.setPresent([Self.greedy], of: 1)
        #expect(shares.allows(Self.greedy))
    }

    @Test("of two schedulers that count together, the one that computes for the greedy waits for the other")
    func schedulers() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.sharedTime = SharedTime(lead: .milliseconds(1))
        let schedulers = [try setup.scheduler(configuration), try setup.scheduler(configuration)]
        func requests(_ client: String, _ count: Int) -> [GenerationRequest] {
            (0..<count).map { number in
                var request = setup.request(setup.tokens(20, seed: UInt64(number)), maxTokens: 120)
                (request.client, request.speculates) = (client, false)
                return request
            }
        }
        for request in requests("greedy", 12) { _ = try schedulers[0].admit(request) }
        let quiet = try requests("quiet", 1).map { try schedulers[1].admit($0) }
        var spent = [Duration.zero, .zero]
        var longest = Duration.zero
        var waits = 0
        while quiet[0].outcome == nil {
            for (index, scheduler) in schedulers.enumerated() where scheduler.hasGenerations {
                let begin = ContinuousClock.now
                scheduler.step()
                guard !scheduler.isHeldBack else {
                    waits += 1
                    continue
                }
                spent[index] += .now - begin
                longest = max(longest, .now - begin)
            }
        }
        schedulers[1].rest()
        #expect(waits > 0)
        // Both could use the time all along; a token of the twelve costs each the same, so passes differ from what is charged.
        #expect(spent[0] < spent[1] * 2 + longest * 2)
        while schedulers[0].hasWork { schedulers[0].step() }
        #expect(!schedulers[0].isHeldBack && schedulers[0].count == 0)
    }
}
