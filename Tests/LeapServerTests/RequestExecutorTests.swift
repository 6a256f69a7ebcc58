#if Server
import Foundation
import HTTPTypes
import LeapJSON
import Logging
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Where requests are read and prepared, and models are loaded.
@Suite("Threads of requests")
struct RequestExecutorTests {
    /// More than Swift's threads for tasks.
    private static let manyThreads = ProcessInfo.processInfo.activeProcessorCount + 2

    private static func exchange(_ path: String, bytes: Int) -> Exchange {
        Exchange(
            id: "1", method: .post, path: path, query: "", host: nil, headers: [:],
            body: [UInt8](repeating: 0, count: bytes))
    }

    @Test("requests are read and prepared on none of the threads that all tasks share")
    func threadsOfRequests() async throws {
        try await TestServer.run { server in
            let meeting = Meeting()
            let route = Route(method: .post, path: "/work", about: "Works") { exchange, _ in
                meeting.attend()
                return .json(["bytes": .integer(exchange.body.count)])
            }
            let router = Router(core: server.server.core, table: RouteTable(routes: [route]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<Self.manyThreads {
                    group.addTask {
                        // Large ones take turns on as many threads as there are processors, here all but two.
                        let reply = await router.respond(Self.exchange("/work", bytes: number < 2 ? 10 : 2 << 20))
                        #expect(reply.status == .ok)
                    }
                }
                try await eventually { meeting.count == Self.manyThreads }
                meeting.end()
                try await group.waitForAll()
            }
        }
    }

    @Test("large requests take turns on a few threads, and wait only while none of these is free")
    func turnsOfLargeRequests() async throws {
        let (threads, large) = (RequestExecutors.largeRequests, RequestExecutors.smallSize + 1)
        #expect(large == 65_537)
        try await TestServer.run { server in
            let meeting = Meeting()
            let slow = Route(method: .post, path: "/slow", about: "Works") { _, _ in
                meeting.attend()
                return .json([:])
            }
            let fast = Route(method: .post, path: "/fast", about: "Replies") { _, _ in .json([:]) }
            let router = Router(core: server.server.core, table: RouteTable(routes: [slow, fast]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1..<threads {
                    group.addTask { _ = await router.respond(Self.exchange("/slow", bytes: large)) }
                }
                try await eventually { meeting.count == threads - 1 }
                for _ in 0..<threads {
                    #expect(await router.respond(Self.exchange("/fast", bytes: large)).status == .ok)
                    #expect(meeting.count == threads - 1)
                }
                for _ in 0..<3 {
                    group.addTask { _ = await router.respond(Self.exchange("/slow", bytes: large)) }
                }
                try await eventually { meeting.count == threads }
                group.addTask { _ = await router.respond(Self.exchange("/slow", bytes: large - 1)) }
                try await eventually { meeting.count == threads + 1 }
                // Time for those that wait, if nothing held them.
                try await Task.sleep(for: .milliseconds(100))
                #expect(meeting.count == threads + 1)
                meeting.end()
                try await group.waitForAll()
            }
        }
    }

    @Test("jobs that wait for a thread run in the order in which they became ready")
    func orderOfJobs() async throws {
        let pool = PoolExecutor("test", .default, threads: 1)
        let meeting = Meeting()
        let first = Task(executorPreference: pool) { meeting.attend() }
        try await eventually { meeting.count == 1 }
        let order = Mutex<[Int]>([])
        let tasks = (0..<20).map { number in
            Task(executorPreference: pool) { @Sendable in order.withLock { $0.append(number) } }
        }
        meeting.end()
        for task in [first] + tasks { await task.value }
        let found = order.withLock(\.self)
        #expect(found == Array(0..<20))
    }

    @Test("models are loaded on none of the threads that all tasks share")
    func threadsOfLoading() async throws {
        let meeting = Meeting()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.manyThreads {
                group.addTask {
                    let pool = ModelPool([ModelCard(id: "m", path: "")], ModelPool.Limits(), logger) { _ in
                        meeting.attend()
                        throw CocoaError(.fileReadUnknown)
                    }
                    await #expect(throws: APIError.self) { _ = try await pool.lease(nil) }
                }
            }
            try await eventually { meeting.count == Self.manyThreads }
            meeting.end()
            try await group.waitForAll()
        }
    }
}
#endif
