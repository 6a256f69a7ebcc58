#if Downloads && !canImport(Darwin)
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Passes what AsyncHTTPClient receives to a stream, and the stream's backpressure back.
final class ResponseDelegate: HTTPClientResponseDelegate {
    typealias Response = Void

    private let stream: ResponseStream
    private let name: String
    private let proxy: Proxy?

    init(_ stream: ResponseStream, name: String, proxy: Proxy?) {
        self.stream = stream
        self.name = name
        self.proxy = proxy
    }

    func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) { stream.sent() }

    func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { stream.sent() }

    func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        var fields = HTTPFields()
        for (name, value) in head.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        stream.receive(
            head: HTTPResponse(
                status: .init(code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase),
                headerFields: fields))
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let promise = task.eventLoop.makePromise(of: Void.self)
        buffer.withUnsafeReadableBytes { stream.receive($0) { promise.succeed() } }
        return promise.futureResult
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        stream.finish(error is CancellationError ? error : TransportError(error, name: name).naming(proxy))
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) { stream.finish() }
}
#endif
