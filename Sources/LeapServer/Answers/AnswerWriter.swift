/// Streams an answer in a dialect's format.
protocol AnswerWriter: Sendable {
    /// The beginning of the reply.
    mutating func begin() -> [UInt8]
    /// The encoding of a piece; empty for pieces that the dialect does not report.
    ///
    /// - Throws: A failure that the dialect cannot report, so that the reply must not look complete.
    mutating func write(_ item: AnswerFeed.Item) throws(APIError) -> [UInt8]
    /// The end of the reply.
    mutating func end() -> [UInt8]
}
