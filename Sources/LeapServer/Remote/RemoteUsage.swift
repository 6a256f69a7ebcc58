import LeapJSON

/// The usage of another server's answer, read from its bytes as they are forwarded.
struct RemoteUsage: Sendable {
    /// Tokens.
    struct Count: Sendable, Hashable {
        var prompt = 0
        var cached = 0
        var completion = 0
    }

    /// The last usage that the stream reported; `nil` if it reported none.
    private(set) var count: Count?

    private var line: [UInt8] = []
    private var isTooLong = false
    /// A line of a stream that reports usage is short, except in responses, which repeat the whole answer.
    private static let longestLine = 4 << 20
    private static let mark = Array("\"usage\"".utf8)

    /// Reads some bytes of a stream of events.
    mutating func read(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if byte != UInt8(ascii: "\r") { append(byte) }
                continue
            }
            readLine()
            (line, isTooLong) = ([], false)
        }
    }

    /// Reads a whole document.
    mutating func read(document: [UInt8]) {
        guard let document = try? JSONValue(parsing: document) else { return }
        readUsage(from: document)
    }

    private mutating func append(_ byte: UInt8) {
        guard line.count < Self.longestLine else {
            isTooLong = true
            return
        }
        line.append(byte)
    }

    private mutating func readLine() {
        let start = Array("data:".utf8)
        guard !isTooLong, line.starts(with: start), line.firstRange(of: Self.mark) != nil,
            let document = try? JSONValue(parsing: line.dropFirst(start.count))
        else { return }
        readUsage(from: document)
    }

    /// Chats and completions have it at the top, events of responses in their response.
    private mutating func readUsage(from document: JSONValue) {
        let usage = document["usage"] ?? document["response"]?["usage"]
        guard let usage, usage.object != nil else { return }
        func number(_ names: [String], in value: JSONValue?) -> Int {
            max(0, names.lazy.compactMap { value?[$0]?.wholeNumber }.first ?? 0)
        }
        let details = usage["prompt_tokens_details"] ?? usage["input_tokens_details"]
        count = Count(
            prompt: number(["prompt_tokens", "input_tokens"], in: usage),
            cached: number(["cached_tokens"], in: details),
            completion: number(["completion_tokens", "output_tokens"], in: usage))
    }
}
