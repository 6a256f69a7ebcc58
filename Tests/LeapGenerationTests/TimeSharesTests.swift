import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// Clients share compute time fairly, whatever they request.
@Suite("Time shares")
struct TimeSharesTests {
    private typealias Account = TimeShares.Account
    private static let (quiet, greedy) = (
        Account(client: "quiet", isBackground: false), Account(client: "greedy", isBackground: false)
    )

    /// Simulates accounts that use time for some rounds, each with its own cost per turn.
    ///
    /// - Returns: The time that each account used.
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

    @Test("a client with costlier turns gets no more time, except for the lead", arguments: [0, 1, 5])
    func equality(lead: Int) throws {
        var shares = TimeShares(lead: .seconds(lead))
        let spent = run(&shares, [Self.quiet: .milliseconds(20), Self.greedy: .milliseconds(220)])
        let (quiet, greedy) = (try #require(spent[Self.quiet]), try #require(spent[Self.greedy]))
        #expect(greedy > quiet - .milliseconds(20))
        #expect(greedy - quiet <= .seconds(lead) + .milliseconds(220))
    }

    @Test("a token costs the same for a client with one answer as for one with many")
    func tokenCost() {
        var shares = TimeShares(lead: .milliseconds(100))
        var tokens: [Account: Int] = [:]
        for _ in 0..<2_000 {
            shares.setPresent([Self.quiet, Self.greedy])
            let rows = [Self.quiet] + Array(repeating: Self.greedy, count: 13)
            let group = rows.filter { shares.allows($0) }
            // As with real kernels, the first row is expensive, and further ones are cheap.
            shares.chargeAnswers(group, .milliseconds(20 + 5 * group.count))
            for account in group { tokens[account, default: 0] += 1 }
        }
        let share = Double(tokens[Self.greedy] ?? 0) / Double(tokens[Self.quiet] ?? 1)
        #expect((0.95...1.05).contains(share))
    }

    @Test("a client does not wait if no other can use the time")
    func singleClient() {
        var shares = TimeShares(lead: .zero)
        let spent = run(&shares, [Self.greedy: .seconds(1)])
        #expect(spent[Self.greedy] == .seconds(1_000))
    }

    @Test("a new or returning client starts level, but keeps its own lead")
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

    @Test("background answers get a small share beside others, and all time alone")
    func background() throws {
        let background = Account(client: "quiet", isBackground: true)
        var shares = TimeShares(lead: .seconds(1))
        _ = run(&shares, [background: .milliseconds(100)])
        let spent = run(
            &shares, [Self.quiet: .milliseconds(100), background: .milliseconds(100)], rounds: 10_000)
        let share = try #require(spent[background]) / #require(spent[Self.quiet])
        #expect((0.04...0.06).contains(share))
    }

    @Test("a client of two models gets as much time as a client of one")
    func models() throws {
        var shares = TimeShares(lead: .milliseconds(100))
        var spent: [Account: Duration] = [:]
        for round in 0..<2_000 {
            shares.setPresent([Self.greedy], of: 1)
            shares.setPresent([Self.greedy, Self.quiet], of: 2)
            // The machine computes for one model at a time, in turn.
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

    @Test("a model whose clients are all ahead waits while clients of other models are present")
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

    @Test("a finished conversation is read in short passes while clients of another model wait")
    func readingForCache() throws {
        let setup = try SchedulerSetup()
        var configuration = SchedulerConfiguration()
        configuration.chunkSize = 256
        configuration.sharedTime = SharedTime()
        configuration.tokenGap = .zero
        let schedulers = [try setup.scheduler(configuration), try setup.scheduler(configuration)]
        func steps(_ seed: UInt64) -> Int {
            schedulers[0].remember(Prompt(setup.tokens(512, seed: seed)))
            var steps = 0
            while schedulers[0].hasWork {
                schedulers[0].step()
                steps += 1
            }
            return steps
        }
        #expect(steps(1) == 2)
        _ = try schedulers[1].admit(setup.request(setup.tokens(20, seed: 3), maxTokens: 120))
        for _ in 0..<3 { schedulers[1].step() }
        #expect(steps(2) == 16)
        schedulers[1].rest()
        #expect(steps(4) == 2)
    }

    @Test("of two schedulers that share time, the one of the greedy client waits for the other")
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
        // Both could use all the time. The charge is per token, so passes differ from what is charged.
        #expect(spent[0] < spent[1] * 2 + longest * 2)
        while schedulers[0].hasWork { schedulers[0].step() }
        #expect(!schedulers[0].isHeldBack && schedulers[0].count == 0)
    }
}
