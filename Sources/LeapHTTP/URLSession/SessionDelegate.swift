#if canImport(Darwin)
import Foundation
import HTTPTypes
import Synchronization

/// Passes what a session receives to the streams of its tasks.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let verifies: Bool
    private let proxy: Proxy?
    private let streams = Mutex<[Int: (stream: ResponseStream, name: String)]>([:])

    init(verifies: Bool, proxy: Proxy?) {
        self.verifies = verifies
        self.proxy = proxy
    }

    func add(_ stream: ResponseStream, name: String, for task: URLSessionTask) {
        streams.withLock { $0[task.taskIdentifier] = (stream, name) }
    }

    // `URLSession` does not report when a connection is established. For a request with a body, the first bytes sent
    // show it; further ones show that the upload goes on.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        streams.withLock { $0[task.taskIdentifier]?.stream }?.sent()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let stream = streams.withLock({ $0[dataTask.taskIdentifier]?.stream }),
            let response = response as? HTTPURLResponse
        else { return completionHandler(.cancel) }
        var fields = HTTPFields()
        for case (let key as String, let value as String) in response.allHeaderFields {
            if let name = HTTPField.Name(key) { fields.append(HTTPField(name: name, value: value)) }
        }
        stream.receive(head: HTTPResponse(status: .init(code: response.statusCode), headerFields: fields))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let stream = streams.withLock({ $0[dataTask.taskIdentifier]?.stream }) else { return }
        // Suspended in any case: a stream with room calls back at once, and suspensions are counted.
        dataTask.suspend()
        data.withUnsafeBytes { stream.receive($0) { dataTask.resume() } }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let (stream, name) = streams.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        stream.finish(error.map { TransportError($0 as NSError, name: name) })
    }

    // No redirect is followed: its response is delivered as any other.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard !verifies, let trust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.isProxy(), challenge.previousFailureCount == 0, let user = proxy?.user else {
            return completionHandler(.performDefaultHandling, nil)
        }
        let credential = URLCredential(user: user, password: proxy?.password ?? "", persistence: .forSession)
        completionHandler(.useCredential, credential)
    }
}
#endif
