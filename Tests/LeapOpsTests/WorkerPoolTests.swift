import Synchronization
import Testing
import _LeapProcessTestSupport

@testable import LeapOps

@Suite struct WorkerPoolTests {
    @Test("Every task runs exactly once", arguments: [1, 2, 3, 8], [0, 1, 2, 7, 64, 1000])
    func everyTaskOnce(workers: Int, tasks: Int) {
        let pool = WorkerPool(count: workers)
        let runs = TaskCounter(tasks)
        for _ in 0..<20 { pool.run(CountRuns(counter: runs), count: tasks, tasks: tasks) }
        #expect(runs.values == [Int](repeating: 20, count: tasks))
    }

    @Test("No two concurrent calls share a worker number")
    func workerNumbers() {
        let pool = WorkerPool(count: 4)
        let busy = TaskCounter(pool.count)
        let clashes = TaskCounter(1)
        for _ in 0..<200 {
            pool.run(CountClashes(busy: busy, clashes: clashes), count: 64, tasks: 64)
        }
        #expect(clashes.values == [0])
    }

    @Test("Sleeping workers wake for new work")
    func wakesUp() async throws {
        let pool = WorkerPool(count: 3)
        let runs = TaskCounter(100)
        for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(20))  // far longer than a worker spins
            pool.run(CountRuns(counter: runs), count: 100, tasks: 100)
        }
        #expect(runs.values == [Int](repeating: 5, count: 100))
    }

    @Test("A released pool ends its threads", .enabled(if: OpenResources.now.threads != nil))
    func dropped() throws {
        let (pools, before) = (50, try #require(OpenResources.now.threads))
        for _ in 0..<pools {
            let pool = WorkerPool(count: 4)
            pool.run(CountRuns(counter: TaskCounter(8)), count: 8, tasks: 8)
        }
        // Each pool had three. The system's own pools may have got some more meanwhile.
        #expect(try #require(OpenResources.now.threads) < before + pools)
    }

    @Test("Ranges cover every element once, however uneven", arguments: [(10, 3), (3, 10), (1000, 7), (1, 2), (0, 4)])
    func ranges(count: Int, tasks: Int) {
        let runs = TaskCounter(count)
        WorkerPool(count: 2).run(CountRuns(counter: runs), count: count, tasks: tasks)
        #expect(runs.values == [Int](repeating: 1, count: count))
    }

    @Test("Inactive workers run nothing until they are activated again", arguments: [1, 2, 3])
    func activeWorkers(active: Int) async throws {
        let pool = WorkerPool(count: 4)
        pool.run(CountRuns(counter: TaskCounter(64)), count: 64, tasks: 64)
        for wanted in [active, 4, active] {
            pool.activate(wanted)
            #expect(pool.active == wanted)
            try await Task.sleep(for: .milliseconds(20))  // for workers to become inactive
            let (runs, workers) = (TaskCounter(200), TaskCounter(pool.count))
            for _ in 0..<10 { pool.run(CountWorkers(runs: runs, workers: workers), count: 200, tasks: 200) }
            #expect(runs.values == [Int](repeating: 10, count: 200))
            if wanted < 4 { #expect(workers.values[wanted...].allSatisfy { $0 == 0 }) }
        }
    }

    @Test("The number of active workers is at least one, and no more than there are")
    func activeLimits() {
        let pool = WorkerPool(count: 2)
        pool.activate(0)
        #expect(pool.active == 1)
        pool.activate(100)
        #expect(pool.active == 2)
    }

    @Test("Prefill and decoding may have different numbers of threads, none above the permitted CPUs")
    func threadCounts() {
        let compute = Compute(threads: 1, prefillThreads: 1000)
        #expect(compute.decodeThreads == 1)
        #expect(compute.prefillThreads == CPUCount.permitted)
        #expect(compute.threads == CPUCount.permitted)
        #expect(compute.beginPass(of: .answer))
        #expect(compute.pool.active == 1)
        #expect(compute.beginPass(of: .prompt))
        #expect(compute.pool.active == CPUCount.permitted)
        #expect(Compute(threads: 1).prefillThreads == 1)
    }

    @Test("A process never gets more threads than CPUs")
    func permitted() {
        #expect(CPUCount.permitted >= 1)
        #expect(Compute(threads: 1000).threads <= CPUCount.permitted)
        #expect(Compute(threads: 1).threads == 1)
    }
}

/// Counts how often every element is processed.
private struct CountRuns: ParallelWork {
    let counter: TaskCounter

    func run(_ range: Range<Int>, worker: Int) {
        for element in range { counter.increment(element) }
    }
}

/// Counts how often every element is processed, and every worker's tasks.
private struct CountWorkers: ParallelWork {
    let runs: TaskCounter
    let workers: TaskCounter

    func run(_ range: Range<Int>, worker: Int) {
        workers.increment(worker)
        for element in range { runs.increment(element) }
    }
}

/// Counts calls that share a worker number with a concurrent one.
private struct CountClashes: ParallelWork {
    let busy: TaskCounter
    let clashes: TaskCounter

    func run(_ range: Range<Int>, worker: Int) {
        if busy.increment(worker) != 1 { clashes.increment(0) }
        busy.decrement(worker)
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
