import Foundation
import HTTPTypes
import Synchronization

/// A bounded buffer between a connection and the reader of a response: the head, then bytes, then the end.
///
/// The source (a connection) pushes, and one reader pulls. A source that has pushed more than ``capacity`` is called
/// back when there is room again (backpressure). The stream ends when the source finishes it, the reader cancels it, or
/// it times out, whichever comes first.
final class ResponseStream: Sendable {
    /// Bytes that may wait for their reader before the source has to wait: enough that neither often waits for the other.
    static let capacity = 1 << 20

    /// The request in errors.
    private let name: String
    private let state: Mutex<State>

    fileprivate struct State {
        var head: HTTPResponse?
        var bytes = WaitingBytes()
        /// How the stream ended: `nil` while it has not.
        var ending: Result<Void, any Error>?
        var timing: ResponseTiming
        var headReader: CheckedContinuation<HTTPResponse, any Error>?
        var byteReader: CheckedContinuation<Data?, any Error>?
        /// Tell the source that there is room again: one callback for each piece that came without room. There may be
        /// several, because pieces can be under way when a source is suspended.
        var resumesOfSource: [@Sendable () -> Void] = []
        /// Tells the source to close its connection.
        var stopSource: (@Sendable () -> Void)?
        var watchdog: Task<Void, Never>?
        /// Given back at the end, so that the next request to the host can begin.
        var place: HostPlace?
    }

    /// Creates a stream for a request that is about to be sent: the time begins now.
    ///
    /// - Parameter place: The request's place among those to its host; `nil` if there is no host.
    init(name: String, timeouts: TransportTimeouts, place: HostPlace? = nil) {
        self.name = name
        self.state = Mutex(State(timing: ResponseTiming(timeouts, now: .now), place: place))
    }
}

// MARK: - What the source calls

extension ResponseStream {
    /// Registers how to close the connection, and starts the timeouts.
    func start(stop: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            guard state.ending == nil else { return true }
            state.stopSource = stop
            if state.timing.hasLimits { state.watchdog = Task { await self.watch() } }
            return false
        }
        if hasEnded { stop() }
    }

    /// The connection is established, and some of the request was sent. Called again for every further part of it.
    func sent() {
        state.withLock { $0.timing.progressed(at: .now) }
    }

    func receive(head: HTTPResponse) {
        let reader = state.withLock { state -> CheckedContinuation<HTTPResponse, any Error>? in
            guard state.ending == nil else { return nil }
            state.timing.progressed(at: .now)
            state.timing.readerStopped()
            state.head = head
            return state.headReader.take()
        }
        reader?.resume(returning: head)
    }

    /// Takes bytes, and calls back when there is room for more: at once, or later.
    func receive(_ bytes: UnsafeRawBufferPointer, resume: @escaping @Sendable () -> Void) {
        let (reader, data, isFull) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Data?, Bool) in
            guard state.ending == nil, !bytes.isEmpty else { return (nil, nil, false) }
            state.bytes.append(bytes)
            let reader = state.byteReader.take()
            let data = reader == nil ? nil : state.bytes.next()
            if reader != nil { state.timing.readerStopped() }
            let isFull = state.bytes.count >= Self.capacity
            if isFull { state.resumesOfSource.append(resume) }
            return (reader, data, isFull)
        }
        reader?.resume(returning: data)
        if !isFull { resume() }
    }

    /// The source has no more: because the body is complete, or because something failed.
    func finish(_ error: (any Error)? = nil) {
        end(error.map { .failure($0) } ?? .success(()), stops: false)
    }
}

// MARK: - What the reader calls

extension ResponseStream {
    /// Waits for the head.
    func awaitHead() async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<HTTPResponse, any Error>? in
                    if let head = state.head { return .success(head) }
                    switch state.ending {
                    case .failure(let error): return .failure(error)
                    case .success: return .failure(TransportError.connectionLost(name, "it sent no response"))
                    case nil: state.headReader = continuation
                    }
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The bytes that have arrived, or the next ones to arrive; `nil` at the end.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, resumes) = state.withLock { $0.takeBytes(or: continuation) }
                for resume in resumes { resume() }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the stream and closes the connection.
    func cancel() { end(.failure(CancellationError()), stops: true) }
}

extension ResponseStream.State {
    /// The reader's next result, and the callbacks that tell the source that there is room; no result if the reader
    /// must wait.
    mutating func takeBytes(
        or reader: CheckedContinuation<Data?, any Error>
    ) -> (Result<Data?, any Error>?, [@Sendable () -> Void]) {
        // After a cancellation nothing more is delivered; after any other end, first what has arrived.
        if case .failure(let error as CancellationError) = ending { return (.failure(error), []) }
        if let taken = bytes.next() { return (.success(taken), takeResumes()) }
        switch ending {
        case .success: return (.success(nil), [])
        case .failure(let error): return (.failure(error), [])
        case nil:
            byteReader = reader
            timing.readerWaits(since: .now)
            return (nil, takeResumes())
        }
    }

    /// The callbacks if there is room; a reader that waits has left nothing, so then there is.
    private mutating func takeResumes() -> [@Sendable () -> Void] {
        guard bytes.count < ResponseStream.capacity else { return [] }
        defer { resumesOfSource = [] }
        return resumesOfSource
    }
}

// MARK: - The end

extension ResponseStream {
    private func end(_ ending: Result<Void, any Error>, stops: Bool) {
        let finished = state.withLock { state -> State? in
            guard state.ending == nil else { return nil }
            state.ending = ending
            let finished = state
            state.headReader = nil
            state.byteReader = nil
            state.resumesOfSource = []
            state.stopSource = nil
            state.watchdog = nil
            state.place = nil
            return finished
        }
        guard let finished else { return }
        if stops { finished.stopSource?() }
        finished.watchdog?.cancel()
        for resume in finished.resumesOfSource { resume() }
        switch ending {
        case .success:
            finished.headReader?.resume(throwing: TransportError.connectionLost(name, "it sent no response"))
            finished.byteReader?.resume(returning: nil)
        case .failure(let error):
            finished.headReader?.resume(throwing: error)
            finished.byteReader?.resume(throwing: error)
        }
    }

    /// Sleeps until a timeout may have passed, checks, and sleeps again.
    private func watch() async {
        while true {
            let check = state.withLock { state in state.ending == nil ? state.timing.check(at: .now) : .unlimited }
            switch check {
            case .unlimited: return
            case .passed(let kind, let limit):
                return end(.failure(TransportError.timedOut(name, kind, limit)), stops: true)
            case .until(let instant):
                do { try await Task.sleep(until: instant, clock: .continuous) } catch { return }
            }
        }
    }
}
