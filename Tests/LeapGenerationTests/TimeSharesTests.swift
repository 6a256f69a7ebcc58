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

    /// Has accounts use time for a while, of which one takes longer than the other whenever it is its turn.
    ///
    /// - Returns: What each got.
    private func run(
        _ shares: inout TimeShares, _ costs: [Account: Duration], rounds: Int = 1_000
    ) -> [Account: Duration] {
        var spent: [Account: Duration] = [:]
        for _ in 0..<rounds {
            shares.note(Set(costs.keys))
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
            shares.note([Self.quiet, Self.greedy])
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
        shares.note([Self.quiet, Self.greedy])
        #expect(shares.allows(Self.quiet) && shares.allows(Self.greedy))
        shares.charge(Self.greedy, .seconds(3))
        shares.note([Self.quiet])
        shares.note([Self.quiet, Self.greedy])
        #expect(!shares.allows(Self.greedy))
        shares.note([Self.quiet])
        shares.charge(Self.quiet, .seconds(9))
        shares.note([Self.quiet])
        shares.note([Self.quiet, Self.greedy])
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
}
