import Foundation
import LeapHTTP

/// Decodes the bytes of an answer to events: an event stream, or a single document from servers that do not stream.
///
/// The events do not depend on how the bytes are split. An error is the last event, after all events before it.
struct AnswerDecoder: Sendable {
    private let contentType: String
    private let limits: ServerSentEventLimits
    private let failures: ServerFailures
    private var kind: Kind?
    private var parser: ServerSentEventParser
    private var decoder: CompletionDecoder
    /// The beginning of the body, for errors; for a document, the whole body.
    private var opening = Data()
    private var hasEvents = false

    private enum Kind {
        case events
        case document
    }

    init(contentType: String?, limits: ServerSentEventLimits, failures: ServerFailures) {
        self.contentType = (contentType ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        self.limits = limits
        self.failures = failures
        parser = ServerSentEventParser(limits: limits)
        parser.readsErrorFields = true
        decoder = CompletionDecoder(failures)
    }

    /// Returns the events that a piece completes. Nothing may follow ``ChatCompletionEvent/done(_:)`` or
    /// ``ChatCompletionEvent/error(_:)``.
    mutating func decode(_ piece: Data) -> [ChatCompletionEvent] {
        // White space before the first character means nothing in either kind, and would hide a brace.
        let piece = kind == nil ? Data(piece.drop { Self.whiteSpace.contains($0) }) : piece
        guard let first = piece.first else { return [] }
        let kind = self.kind ?? Self.kind(of: contentType, first)
        self.kind = kind
        switch kind {
        case .events:
            opening.append(piece.prefix(max(0, ServerFailures.openingBytes - opening.count)))
            return decodeEvents(piece)
        case .document:
            guard piece.count <= limits.eventBytes - opening.count else {
                let reason = "the document exceeds the limit of \(limits.eventBytes) bytes"
                return [.error(.init(.tooLarge(url: failures.url, reason)))]
            }
            opening.append(piece)
            return []
        }
    }

    /// Returns the events that the end of the body completes; the last one is always an end or an error.
    mutating func end() -> [ChatCompletionEvent] {
        do throws(OpenAiError) {
            if kind == .document { return try endOfDocument() }
            let rest = try finishEvents()
            guard hasEvents || rest != nil else { throw unexpected }
            return try decoder.endOfStream(rest)
        } catch {
            return [.error(.init(error))]
        }
    }

    /// Returns the events that the loss of the connection completes. If the answer is complete, nothing is missing
    /// but the end of the response; otherwise there is an error.
    mutating func broken(_ error: TransportError) -> [ChatCompletionEvent] {
        let events = end()
        if case .done? = events.last { return events }
        return [.error(.init(.cutOff(url: failures.url, failures.redact(error.reason))))]
    }

    private var unexpected: OpenAiError {
        .unexpectedResponse(
            url: failures.url, contentType: contentType.isEmpty ? "unknown" : failures.quote(contentType),
            excerpt: failures.excerpt(opening))
    }
}

// MARK: - Types

extension AnswerDecoder {
    private static let brace: UInt8 = 0x7B
    private static let whiteSpace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    /// Some self-hosted servers send events as plain text or without a content type, and documents as events. No event
    /// begins with a brace, so the first byte distinguishes them.
    private static func kind(of contentType: String, _ first: UInt8) -> Kind {
        switch contentType {
        case "text/event-stream", "text/plain", "": first == brace ? .document : .events
        default: .document
        }
    }

    private mutating func endOfDocument() throws(OpenAiError) -> [ChatCompletionEvent] {
        guard opening.first == Self.brace else { throw unexpected }
        return try decoder.decode(whole: opening)
    }
}

// MARK: - Events

extension AnswerDecoder {
    private mutating func decodeEvents(_ piece: Data) -> [ChatCompletionEvent] {
        var parsed: [ServerSentEvent] = []
        var events: [ChatCompletionEvent] = []
        var failure: OpenAiError?
        do { try parser.parse(piece, into: &parsed) } catch { failure = .tooLarge(url: failures.url, "\(error)") }
        hasEvents = hasEvents || !parsed.isEmpty
        for event in parsed {
            do { events += try decoder.decode(event) } catch {
                failure = error
                break
            }
            if case .done? = events.last { return events }
        }
        return events + (failure.map { [.error(.init($0))] } ?? [])
    }

    /// Returns the event that the end of the stream cut off.
    private mutating func finishEvents() throws(OpenAiError) -> ServerSentEvent? {
        do { return try parser.finish() } catch { throw .tooLarge(url: failures.url, "\(error)") }
    }
}

extension TransportError {
    /// The text of the error, without the URL.
    fileprivate var reason: String {
        let text = description
        return text.hasPrefix(url + ": ") ? String(text.dropFirst(url.count + 2)) : text
    }
}
