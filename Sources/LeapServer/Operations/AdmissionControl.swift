import Synchronization

/// Admission control: limits how many answers are computed or wait, in total and per client. Beyond that, requests are
/// refused at once, with the time after which to retry.
///
/// A request for more answers than there are slots is admitted when nothing else is under way, because otherwise it
/// never would be; its answers take turns.
final class AdmissionControl: Sendable {
    /// The limits.
    struct Limits: Sendable {
        /// Answers that are generated at a time.
        var maxActive = 16
        /// Queued answers besides them.
        var maxQueued = 64
        /// Answers of one client.
        var maxPerClient = 24
    }

    fileprivate struct State {
        var count = 0
        var clients: [String: Int] = [:]
        var requests: [ObjectIdentifier: Int] = [:]
        var slots: AnswerSlots
        /// The recent average duration of answers, in seconds.
        var duration = 1.0
    }

    /// How many answers may be active or waiting.
    let limits: Limits
    private let state: Mutex<State>

    init(_ limits: Limits) {
        self.limits = limits
        state = Mutex(State(slots: AnswerSlots(count: limits.maxActive)))
    }

    /// Answers that are active or waiting.
    var count: Int { state.withLock(\.count) }
    /// Queued answers.
    var waiting: Int { max(0, count - limits.maxActive) }
    /// The number of the answer in each slot, inferred from the order in which they came; `nil` for free slots.
    var slots: [Int?] { state.withLock(\.slots.numbers) }

    /// Slots or queue places for some of a client's answers, released with the last reference.
    ///
    /// - Parameter request: The request that they belong to, if other answers of it may already be admitted.
    /// - Throws: An error if a limit is reached.
    func admit(_ client: String, answers: Int, of request: ObjectIdentifier? = nil) throws(APIError) -> Permit {
        let numbers = try state.withLock { state throws(APIError) in
            let seconds = state.secondsUntilRoom(limits)
            // A client with nothing else under way is admitted with any number of answers: waiting would not help.
            let own = request.flatMap { state.requests[$0] } ?? 0
            let clients = state.clients[client, default: 0]
            guard clients == own || clients + answers <= limits.maxPerClient else {
                throw APIError(
                    .rateLimited(retryAfter: seconds),
                    "answers in progress or queued: \(clients), the limit per client is \(limits.maxPerClient): retry later",
                    code: "rate_limit_exceeded")
            }
            let others = state.count - own
            guard others == 0 || state.count + answers <= limits.maxActive + limits.maxQueued else {
                throw APIError(
                    .overloaded(retryAfter: seconds), "\(state.count) answers are in progress or queued: retry later",
                    code: "overloaded")
            }
            state.count += answers
            state.clients[client, default: 0] += answers
            if let request { state.requests[request, default: 0] += answers }
            return state.slots.enter(answers)
        }
        return Permit(self, client, numbers, request)
    }

    fileprivate func release(_ permit: Permit) {
        state.withLock { state in
            state.count -= permit.answers
            state.slots.release(permit.numbers)
            let rest = state.clients[permit.client, default: 0] - permit.answers
            state.clients[permit.client] = rest > 0 ? rest : nil
            if let request = permit.request {
                let rest = state.requests[request, default: 0] - permit.answers
                state.requests[request] = rest > 0 ? rest : nil
            }
            state.duration += 0.1 * ((ContinuousClock.now - permit.begin) / .seconds(1) - state.duration)
        }
    }

    /// An admission.
    final class Permit: Sendable {
        fileprivate let client: String
        fileprivate let numbers: Range<Int>
        fileprivate let request: ObjectIdentifier?
        fileprivate let begin = ContinuousClock.now
        private let admission: AdmissionControl

        fileprivate init(
            _ admission: AdmissionControl, _ client: String, _ numbers: Range<Int>, _ request: ObjectIdentifier?
        ) {
            self.admission = admission
            self.client = client
            self.numbers = numbers
            self.request = request
        }

        fileprivate var answers: Int { numbers.count }

        deinit { admission.release(self) }
    }
}

extension AdmissionControl.State {
    /// The estimated time until there is room again, from the duration of answers.
    fileprivate func secondsUntilRoom(_ limits: AdmissionControl.Limits) -> Int {
        let rounds = Double(max(1, count)) / Double(max(1, limits.maxActive))
        return Int(min(60, max(1, (rounds * duration).rounded(.up))))
    }
}
