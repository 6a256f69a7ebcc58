import Dispatch
import LeapGeneration

/// The receiver of a generation's responses. Nothing follows ``complete(_:)`` or ``fail(_:)``.
struct ResponseSink: Sendable {
    /// Receives a response.
    let respond: @Sendable (MessageResponse) -> Void
    private let end: @Sendable (LeapError?) -> Void

    /// Delivers the completion and ends.
    func complete(_ completion: MessageCompletion) {
        respond(.complete(completion))
        end(nil)
    }

    /// Delivers an error and ends.
    func fail(_ error: LeapError) {
        end(error)
    }

    /// Delivers responses to a stream.
    static func stream(
        _ continuation: ResponseStream.Continuation
    ) -> ResponseSink {
        ResponseSink(
            respond: { continuation.yield($0) },
            end: { continuation.end($0) })
    }

    /// Delivers responses to callbacks on the main thread, in order. Once the flag is set, responses still queued for the
    /// main thread are dropped, except for the completion.
    static func mainThread(
        _ flag: CancellationFlag, _ onResponse: @escaping (MessageResponse) -> Void, _ onError: ((LeapError) -> Void)?
    ) -> ResponseSink {
        let callbacks = MainThreadCallbacks(onResponse: onResponse, onError: onError)
        return ResponseSink(
            respond: { response in
                DispatchQueue.main.async {
                    if !flag.isCancelled || response.asCompletion != nil { callbacks.onResponse(response) }
                }
            },
            end: { error in
                guard let error else { return }
                DispatchQueue.main.async { callbacks.onError?(error) }
            })
    }
}

/// Callbacks that are called on the main thread only, and so need not be `Sendable`.
private struct MainThreadCallbacks: @unchecked Sendable {
    let onResponse: (MessageResponse) -> Void
    let onError: ((LeapError) -> Void)?
}
