#if Server
import Foundation
import HTTPTypes
import LeapJSON
import NIOHTTPTypes
import Synchronization
import Testing

@testable import LeapServer

@Suite("Request fields")
struct FieldTests {
    private func read<Value: Sendable & Equatable>(
        _ field: Field<Value>, _ json: String
    ) throws -> Value? {
        try FieldReader(try JSONValue(parsing: json), path: "outer")(field)
    }

    @Test("fields check the type and range of a value, and null counts as absent")
    func kinds() throws {
        let count = Field.integer("x", 1...8, "a count")
        #expect(try read(count, "{\"x\":8}") == 8)
        #expect(try read(count, "{\"x\":8.0}") == 8)
        #expect(try read(count, "{\"x\":null}") == nil)
        #expect(try read(count, "{}") == nil)
        for wrong in ["9", "0", "1.5", "\"1\"", "true", "99999999999999999999"] {
            let error = #expect(throws: APIError.self) { try read(count, "{\"x\":\(wrong)}") }
            #expect(error?.param == "outer.x")
            #expect(error?.message.contains("from 1 to 8") == true)
        }
        #expect(try read(Field.number("x", 0...2, ""), "{\"x\":2}") == 2)
        #expect(throws: APIError.self) { try read(Field.number("x", 0...2, ""), "{\"x\":1e400}") }
        #expect(throws: APIError.self) { try read(Field.choice("x", ["a", "b"], ""), "{\"x\":\"c\"}") }
        #expect(throws: APIError.self) { try read(Field.bool("x", ""), "{\"x\":1}") }
    }

    @Test("the schema of a field states its type, range and description")
    func schemas() {
        #expect(
            Field.integer("x", 1...8, "a count").schema == [
                "type": "integer", "minimum": 1, "maximum": 8, "description": "a count",
            ])
    }
}

@Suite("Answer feeds and part queues")
struct FeedTests {
    @Test("a reader that falls behind gets what it missed as one piece, in order, and nothing is lost")
    func feed() async {
        let feed = AnswerFeed()
        let numbers = (0..<10_000).map { "\($0)" }
        // Nobody reads the first half yet.
        for number in numbers.prefix(5000) { feed.put(.text(number)) }
        async let texts = { () -> [String] in
            var texts: [String] = []
            while let items = await feed.next() {
                for item in items { if case .text(let text) = item.piece { texts.append(text) } }
                await Task.yield()
            }
            return texts
        }()
        for number in numbers.dropFirst(5000) { feed.put(.text(number)) }
        feed.end()
        let received = await texts
        #expect(received.joined() == numbers.joined())
        #expect(received.first?.hasPrefix(numbers.prefix(5000).joined()) == true)
    }

    @Test("the end of a connection is reported even if nobody reads parts")
    func ends() async throws {
        let queue = PartQueue()
        await confirmation { confirm in
            queue.whenEnded { confirm() }
            queue.end(.success(()))
        }
        #expect(try await queue.next() == nil)
        await confirmation { confirm in queue.whenEnded { confirm() } }
    }

    @Test("writers are not blocked once a queue is abandoned")
    func abandoned() async {
        let queue = PartQueue()
        async let put: Void = { for _ in 0..<20 { await queue.put(.end(nil)) } }()
        try? await Task.sleep(for: .milliseconds(10))
        queue.abandon()
        await put
        await queue.put(.end(nil))
    }
}

@Suite("Dates")
struct DateTests {
    @Test(
        "dates are formatted as in HTTP header fields",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
        ])
    func text(seconds: Int, text: String) {
        #expect(HTTPDate.text(seconds) == text)
    }

    @Test("every reply has one current Date header, including refusals")
    func replies() async throws {
        try await TestServer.run { server in
            let lost = try server.connect()
            try lost.send("nonsense\r\n\r\n")
            for reply in [try await server.ask("GET", "/health"), try await lost.reply()] {
                #expect(reply.text.components(separatedBy: "\r\ndate: ").count == 2)
                let year = String(HTTPDate.now.split(separator: " ")[3])
                #expect(reply.head.contains(" \(year) ") && reply.head.contains(" gmt"))
            }
        }
    }
}

@Suite("Router")
struct RouterTests {
    @Test(
        "the path prefix is removed only at a component boundary",
        arguments: [
            ("/leap/health", "/health"), ("/leap", "/"), ("/leap/", "/"), ("/leaphealth", "/leaphealth"),
            ("/health", "/health"), ("/leap/leap/health", "/leap/health"),
        ])
    func prefix(path: String, rest: String) {
        #expect(Router.path(path, removingPrefix: "/leap") == rest)
        #expect(Router.path(path, removingPrefix: "") == path)
    }
}

@Suite("Work in flight")
struct InFlightWorkTests {
    @Test("ending waiting work ends present and later waiting entries, but none that have begun")
    func waiting() {
        let work = InFlightWork()
        let ended = Mutex<[String]>([])
        func add(_ name: String, hasBegun: Bool) -> InFlightWork.Entry {
            work.add(
                .init(
                    hasBegun: { hasBegun },
                    end: { error in ended.withLock { $0.append("\(name) \(error.code ?? "")") } }))
        }
        let before = [add("begun", hasBegun: true), add("waiting", hasBegun: false)]
        #expect(ended.withLock(\.self).isEmpty)
        work.endWaiting(.draining)
        let later = [add("late begun", hasBegun: true), add("late", hasBegun: false)]
        #expect(ended.withLock(\.self) == ["waiting draining", "late draining"])
        #expect(work.error == nil)
        withExtendedLifetime((before, later)) {}
    }
}

@Suite("Admission control")
struct AdmissionControlTests {
    @Test("admissions are limited in total and per client, and released permits are free again")
    func limits() throws {
        let admission = AdmissionControl(.init(maxActive: 2, maxQueued: 1, maxPerClient: 2))
        var permits: [AdmissionControl.Permit] = [try admission.admit("a", answers: 2)]
        #expect(throws: APIError.self) { try admission.admit("a", answers: 1) }
        permits.append(try admission.admit("b", answers: 1))
        let error = #expect(throws: APIError.self) { try admission.admit("c", answers: 1) }
        #expect(error?.status == .serviceUnavailable)
        #expect(admission.count == 3 && admission.waiting == 1)
        permits.removeAll()
        #expect(admission.count == 0)
        _ = try admission.admit("a", answers: 2)
    }

    @Test("a request above the limit per client is admitted when the client has nothing else in flight")
    func largeRequestsOfAClient() throws {
        let admission = AdmissionControl(.init(maxActive: 8, maxQueued: 8, maxPerClient: 2))
        let (one, other) = (AccessRecord(), AccessRecord())
        var permits = [try admission.admit("a", answers: 3, of: ObjectIdentifier(one))]
        permits.append(try admission.admit("a", answers: 3, of: ObjectIdentifier(one)))
        let error = #expect(throws: APIError.self) {
            try admission.admit("a", answers: 1, of: ObjectIdentifier(other))
        }
        #expect(error?.status == .tooManyRequests)
        permits.append(try admission.admit("b", answers: 1, of: ObjectIdentifier(other)))
        #expect(admission.count == 7)
    }

    @Test("a request above the total limit is admitted only when nothing else is in flight")
    func largeRequests() throws {
        let admission = AdmissionControl(.init(maxActive: 1, maxQueued: 1, maxPerClient: .max))
        let (one, other) = (AccessRecord(), AccessRecord())
        var permits = [try admission.admit("a", answers: 3, of: ObjectIdentifier(one))]
        #expect(throws: APIError.self) { try admission.admit("a", answers: 1, of: ObjectIdentifier(other)) }
        permits.append(try admission.admit("a", answers: 3, of: ObjectIdentifier(one)))
        #expect(admission.count == 6 && admission.waiting == 5)
        permits.removeAll()
        let small = try admission.admit("b", answers: 1, of: ObjectIdentifier(other))
        #expect(throws: APIError.self) { try admission.admit("a", answers: 2, of: ObjectIdentifier(one)) }
        withExtendedLifetime(small) {}
    }
}

@Suite("Slots")
struct SlotTests {
    @Test("an answer keeps its slot, and a free slot goes to the answer that has waited longest")
    func order() {
        var slots = AnswerSlots(count: 2)
        #expect(slots.numbers == [nil, nil])
        let first = slots.enter(1)
        let second = slots.enter(3)
        #expect(slots.numbers == [0, 1])
        slots.release(first)
        #expect(slots.numbers == [2, 1])
        let third = slots.enter(1)
        slots.release(second)
        #expect(slots.numbers == [4, nil])
        slots.release(third)
        #expect(slots.numbers == [nil, nil])
    }
}

@Suite("Metrics")
struct MetricsTests {
    @Test("histogram buckets are cumulative up to +Inf, and labels are in braces")
    func text() {
        let metrics = Metrics()
        metrics.add(to: .requests, labels: "status=\"200\"")
        metrics.observe(.milliseconds(30), in: .firstToken)
        metrics.observe(.seconds(500), in: .firstToken)
        let text = metrics.text(.leap, gauges: [.running: 2])
        #expect(text.contains("# TYPE leap:requests_processing gauge\nleap:requests_processing 2.0\n"))
        #expect(text.contains("leap:requests_total{status=\"200\"} 1.0\n"))
        #expect(text.contains("leap:time_to_first_token_seconds_bucket{le=\"0.05\"} 1\n"))
        #expect(text.contains("leap:time_to_first_token_seconds_bucket{le=\"+Inf\"} 2\n"))
        #expect(text.contains("leap:time_to_first_token_seconds_count 2\n"))
    }

    @Test("metrics are also exported under llama-server's and vLLM's names, except those they lack")
    func names() {
        let metrics = Metrics()
        metrics.add(30, to: .completionTokens)
        metrics.add(2, to: .completionSeconds)
        #expect(metrics.rate(.completionTokens, per: .completionSeconds) == 15)
        #expect(metrics.rate(.promptTokens, per: .promptSeconds) == 0)
        let gauges: [MetricsNames.Gauge: Double] = [.running: 2, .answerSpeed: 15]
        let llama = metrics.text(.llamaServer, gauges: gauges)
        #expect(llama.contains("\nllamacpp:tokens_predicted_total 30.0\n"))
        #expect(llama.contains("\nllamacpp:predicted_tokens_seconds 15.0\n"))
        #expect(!llama.contains("refusals") && !llama.contains("bucket"))
        let vLLM = metrics.text(.vLLM, gauges: gauges)
        #expect(vLLM.contains("\nvllm:num_requests_running 2.0\n"))
        #expect(vLLM.contains("\nvllm:generation_tokens_total 30.0\n"))
        #expect(vLLM.contains("vllm:time_to_first_token_seconds_count 0\n"))
        #expect(!vLLM.contains("predicted"))
    }

    @Test("the tokens and times of answers appear in the metrics that other servers' dashboards read")
    func answers() {
        let metrics = Metrics()
        for (prompt, written) in [(20, 10), (3, 4)] {
            var cost = AnswerCost()
            (cost.promptTokens, cost.cachedTokens, cost.completionTokens) = (prompt, 2, written)
            (cost.promptDuration, cost.answerDuration) = (.seconds(1), .seconds(4))
            metrics.observe(cost, end: "stop")
        }
        #expect(metrics.mostTokens == 30)
        let llama = metrics.text(.llamaServer, gauges: [.mostTokens: Double(metrics.mostTokens)])
        #expect(llama.contains("\nllamacpp:prompt_tokens_cached_total 4.0\n"))
        #expect(llama.contains("\nllamacpp:n_tokens_max 30.0\n"))
        let vLLM = metrics.text(.vLLM, gauges: [.mostTokens: 30])
        #expect(vLLM.contains("\nvllm:prefix_cache_queries_total 23.0\n"))
        #expect(vLLM.contains("\nvllm:prefix_cache_hits_total 4.0\n"))
        #expect(vLLM.contains("\nvllm:request_prefill_time_seconds_sum 2.0\n"))
        #expect(vLLM.contains("\nvllm:request_decode_time_seconds_sum 8.0\n"))
        #expect(!vLLM.contains("tokens_max"))
        #expect(metrics.text(.leap, gauges: [.mostTokens: 30]).contains("\nleap:tokens_max 30.0\n"))
    }
}
#endif
