import Dispatch
import LeapConstraints
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// Masks that are made on another thread.
@Suite("Masks")
struct MaskTests {
    private static let (alice, bob) = (account("alice"), account("bob"))

    private static func account(_ name: String) -> TimeShares.Account {
        TimeShares.Account(client: name, isBackground: false)
    }

    @Test("clients take turns, whatever the number of masks that each waits for")
    func turns() {
        let queue = MaskQueue()
        let (mayBegin, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = Mutex<[String]>([])
        queue.add(for: Self.bob) { mayBegin.wait() }
        let work = [("b1", Self.bob), ("b2", Self.bob), ("b3", Self.bob), ("a1", Self.alice), ("a2", Self.alice)]
        for (name, client) in work {
            queue.add(for: client) {
                order.withLock { $0.append(name) }
                isOver.signal()
            }
        }
        mayBegin.signal()
        for _ in work { isOver.wait() }
        #expect(order.withLock { $0 } == ["a1", "b1", "a2", "b2", "b3"])
    }

    @Test("a mask of many paths is quick once it was made, and the same from either thread")
    func known() throws {
        let setup = try SchedulerSetup()
        let maker = MaskMaker(try SchedulerSetup.manyPaths(), TokenVocabulary(setup.tokenizer))
        let state = try SchedulerSetup.manyPaths().makeState()
        #expect(maker.quickMask(for: state) == nil)
        let isOver = DispatchSemaphore(value: 0)
        let pending = maker.begin(state, for: Self.alice) { _ in isOver.signal() }
        isOver.wait()
        let mask = try #require(pending.result)
        #expect(!mask.isEmpty && !maker.isBusy)
        #expect(maker.quickMask(for: state) == mask)
    }

    @Test("a mask that nobody needs any more is not made")
    func abandoned() throws {
        let setup = try SchedulerSetup()
        let maker = MaskMaker(try SchedulerSetup.manyPaths(), TokenVocabulary(setup.tokenizer))
        let (mayBegin, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        MaskQueue.shared.add(for: Self.alice) { mayBegin.wait() }
        let pending = maker.begin(try SchedulerSetup.manyPaths().makeState(), for: Self.bob) { _ in isOver.signal() }
        pending.abandon()
        mayBegin.signal()
        isOver.wait()
        #expect(pending.result == nil && !maker.isBusy)
    }
}
