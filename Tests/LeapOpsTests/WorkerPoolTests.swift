import Synchronization
import Testing

@testable import LeapOps

@Suite struct WorkerPoolTests {
    @Test("Every task runs exactly once", arguments: [1, 2, 3, 8], [0, 1, 2, 7, 64, 1000])
    func everyTaskOnce(workers: Int, tasks: Int) {
        let pool = WorkerPool(count: workers)
        let runs = TaskCounter(tasks)
        for _ in 0..<20 { pool.run(tasks: tasks) { task, _ in runs.increment(task) } }
        #expect(runs.values == [Int](repeating: 20, count: tasks))
    }

    @Test("No two calls at one time share a worker number")
    func workerNumbers() {
        let pool = WorkerPool(count: 4)
        let busy = TaskCounter(pool.count)
        let clashes = Atomic<Int>(0)
        for _ in 0..<200 {
            pool.run(tasks: 64) { _, worker in
                if busy.increment(worker) != 1 { clashes.wrappingAdd(1, ordering: .relaxed) }
                busy.decrement(worker)
            }
        }
        #expect(clashes.load(ordering: .relaxed) == 0)
    }

    @Test("Sleeping workers wake for new work")
    func wakesUp() async throws {
        let pool = WorkerPool(count: 3)
        let runs = TaskCounter(100)
        for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(20))  // far beyond the time that a worker spins
            pool.run(tasks: 100) { task, _ in runs.increment(task) }
        }
        #expect(runs.values == [Int](repeating: 5, count: 100))
    }

    @Test("A pool that is dropped ends its threads")
    func dropped() {
        for _ in 0..<50 {
            let pool = WorkerPool(count: 4)
            pool.run(tasks: 8) { _, _ in }
        }
    }

    @Test("A process never gets more threads than CPUs")
    func permitted() {
        #expect(CPUCount.permitted >= 1)
        #expect(Compute(threads: 1000).threads <= CPUCount.permitted)
        #expect(Compute(threads: 1).threads == 1)
    }
}

/// Counters that several threads may change.
private final class TaskCounter: Sendable {
    private let counts: Mutex<[Int]>

    init(_ count: Int) { counts = Mutex([Int](repeating: 0, count: count)) }

    var values: [Int] { counts.withLock { $0 } }

    @discardableResult
    func increment(_ index: Int) -> Int {
        counts.withLock {
            $0[index] += 1
            return $0[index]
        }
    }

    func decrement(_ index: Int) { counts.withLock { $0[index] -= 1 } }
}
