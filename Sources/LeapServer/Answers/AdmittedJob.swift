import HTTPTypes
import LeapJSON

/// A job that is about to be answered.
struct AdmittedJob: Sendable {
    let prepared: PreparedJob
    /// The jobs that follow it in the same stream.
    var others: [AdmittedJob] = []
    let admission: Admission
    let core: ServerCore
    let exchange: Exchange

    /// The model.
    var card: ModelCard { prepared.lease.card }
    /// The model's name as the client gave it, or its own.
    var modelName: String { prepared.job.model ?? card.id }
    private var metrics: Metrics { core.metrics }

    /// All answers, counted and logged. Cancelling the task ends them.
    func answers() async throws(APIError) -> [FinishedAnswer] {
        let answers = try await unrecordedAnswers()
        answers.forEach(metrics.observe)
        exchange.record.add(answers)
        return answers
    }

    /// The same for auxiliary requests, which are not counted or logged.
    func unrecordedAnswers() async throws(APIError) -> [FinishedAnswer] {
        defer { withExtendedLifetime(admission) {} }
        let run = AnswerRun([prepared], metrics.heldAnswers)
        let entry = core.track(run)
        defer { withExtendedLifetime(entry) {} }
        exchange.endsWithClient()
        let answers = try await run.all()
        guard !run.isCancelled else {
            metrics.add(to: .cancellations)
            throw .clientGone
        }
        return answers
    }

    /// The answers, whole or streamed.
    ///
    /// - Parameters:
    ///   - type: The content type of a stream; that of server-sent events by default.
    ///   - idle: See ``stream(type:idle:_:)``.
    ///   - writer: Writes a stream.
    ///   - whole: The document of the answers if they are not streamed.
    func reply(
        streams: Bool, type: String = ServerSentEvents.type, idle: [UInt8]? = ServerSentEvents.ping,
        _ writer: some AnswerWriter, whole: ([FinishedAnswer]) -> JSONValue
    ) async throws(APIError) -> Reply {
        guard streams else { return .json(whole(try await answers())) }
        return stream(type: type, idle: idle, writer)
    }

    /// Streams answers.
    ///
    /// - Parameters:
    ///   - type: The content type; that of server-sent events by default.
    ///   - idle: Bytes that clients ignore in this kind of stream, sent as keep-alive while there is nothing else.
    func stream(
        type: String = ServerSentEvents.type, idle: [UInt8]? = ServerSentEvents.ping, _ writer: some AnswerWriter
    ) -> Reply {
        .stream(type: type, Self.streamFields, idle: idle) { sink in
            var writer = writer
            let beginning = writer.begin()
            try await send(beginning, writer, of: begin(), to: sink)
        }
    }

    /// Streams answers in a format that has nothing between their bytes, neither failures nor keep-alives. The reply begins
    /// with the first bytes, so that what fails before them has a status; what fails later breaks the reply off.
    ///
    /// - Throws: Why there are no bytes.
    func streamOnceBegun(type: String, _ writer: some AnswerWriter) async throws -> Reply {
        let answers = begin()
        exchange.endsWithClient()
        var writer = writer
        var beginning = writer.begin()
        do {
            try await withTaskCancellationHandler {
                while beginning.isEmpty, let items = await answers.run.feed.next() {
                    beginning += try bytes(of: items, &writer)
                }
            } onCancel: {
                answers.run.cancel()
            }
            try Task.checkCancellation()
        } catch {
            guard Task.isCancelled else { throw error }
            metrics.add(to: .cancellations)
            throw APIError.clientGone
        }
        return .stream(type: type, Self.streamFields) { [beginning, writer] sink in
            try await send(beginning, writer, of: answers, to: sink)
        }
    }

    private static let streamFields: HTTPFields = [.cacheControl: "no-cache", .accelBuffering: "no"]

    /// Begins to generate.
    private func begin() -> RunningAnswers {
        let run = AnswerRun([prepared] + others.map(\.prepared), metrics.heldAnswers)
        return RunningAnswers(run, core.track(run))
    }

    /// Sends what was written already, and then the rest of the answers.
    private func send(
        _ beginning: [UInt8], _ writer: some AnswerWriter, of answers: RunningAnswers, to sink: any ReplySink
    ) async throws {
        defer { withExtendedLifetime((self, answers)) {} }
        let run = answers.run
        let pings = Task {
            while true {
                try await Task.sleep(for: .seconds(15))
                run.feed.put(.ping)
            }
        }
        defer { pings.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await sink.write(beginning)
                try await write(run, writer, to: sink)
            } onCancel: {
                run.cancel()
            }
        } catch {
            run.cancel()
            if let failure = error as? APIError {
                core.recordFailure(failure, exchange)
            } else {
                metrics.add(to: .cancellations)
            }
            throw error
        }
    }

    private func record(_ answer: FinishedAnswer, choice: Int) {
        metrics.observe(answer)
        exchange.record.add(answer, toPrompt: choice / max(1, prepared.job.choices))
    }

    private func write(_ run: AnswerRun, _ writer: some AnswerWriter, to sink: any ReplySink) async throws {
        var writer = writer
        while let items = await run.feed.next() {
            try Task.checkCancellation()
            let bytes = try bytes(of: items, &writer)
            if !bytes.isEmpty { try await sink.write(bytes) }
        }
        let end = writer.end()
        if !end.isEmpty { try await sink.write(end) }
    }

    /// What clients get for pieces, which are counted and logged unless the writer throws.
    private func bytes(
        of items: [AnswerFeed.Item], _ writer: inout some AnswerWriter
    ) throws(APIError) -> [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            if case .finished(let answer) = item.piece { record(answer, choice: item.choice) }
            bytes += try writer.write(item)
            if case .failed(let error) = item.piece { core.recordFailure(error, exchange) }
        }
        return bytes
    }
}

/// Answers that are being generated. They end when nothing refers to them any more, as when a client is gone before the
/// head of its reply is sent.
private final class RunningAnswers: Sendable {
    let run: AnswerRun
    private let entry: InFlightWork.Entry

    init(_ run: AnswerRun, _ entry: InFlightWork.Entry) {
        (self.run, self.entry) = (run, entry)
    }

    deinit { run.cancel() }
}
