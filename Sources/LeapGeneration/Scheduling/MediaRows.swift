import LeapModels

/// The rows of a prompt's media: encoded incrementally before a pass reads them, and dropped afterwards.
struct MediaRows {
    private var begun: (media: PromptMedia, encoding: any MediaEncoding)?
    private var whole: [PromptMedia: [[Float]]] = [:]

    /// The rows, once they are computed.
    subscript(_ media: PromptMedia) -> [[Float]]? { whole[media] }

    /// Whether the next part needs something that another thread has not finished yet.
    var isWaiting: Bool { begun?.encoding.isWaiting ?? false }

    /// How many rows of media are computed. For media that are being encoded, an estimate from the
    /// progress of the encoding.
    func count(of media: PromptMedia) -> Int {
        if whole[media] != nil { return media.rowCount }
        guard let begun, begun.media == media else { return 0 }
        return Int(Double(media.rowCount) * min(max(begun.encoding.progress, 0), 1))
    }

    /// Continues to encode the given media, in order, and drops the rows of all others. Returns early if another thread
    /// must finish something first.
    ///
    /// - Parameter time: The time after which no further part is begun.
    /// - Returns: Whether all rows are computed; `false` if cancelled.
    /// - Throws: ``GenerationError/media(_:)``.
    mutating func make(
        _ media: [PromptMedia], for time: Duration, _ isCancelled: () -> Bool
    ) throws(GenerationError) -> Bool {
        whole = whole.filter { media.contains($0.key) }
        let begin = ContinuousClock.now
        while let next = media.first(where: { whole[$0] == nil }) {
            do { try advance(next, isCancelled) } catch { throw .media(error) }
            guard !isCancelled(), !isWaiting, .now - begin < time else { break }
        }
        return media.allSatisfy { whole[$0] != nil }
    }

    private mutating func advance(_ media: PromptMedia, _ isCancelled: () -> Bool) throws {
        let encoding = if let begun, begun.media == media { begun.encoding } else { media.encoding(media.digest) }
        // Set again only if it can continue: a cancelled or failed encoding may have left a layer half computed.
        begun = nil
        guard let rows = try encoding.advance(isCancelled) else {
            if !isCancelled() { begun = (media, encoding) }
            return
        }
        guard rows.count == media.rowCount else {
            throw MediaRowError(expected: media.rowCount, found: rows.count)
        }
        whole[media] = rows
    }
}

/// An encoder produced a different number of rows than announced.
struct MediaRowError: Error, CustomStringConvertible {
    let expected: Int
    let found: Int

    var description: String { "its encoder produced \(found) rows, but had announced \(expected)" }
}
