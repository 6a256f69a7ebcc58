/// Reads a block of calls that is parsed only when it is complete: Python, because the block may contain text, and
/// custom formats of apps.
struct BlockReader {
    /// The result of reading a block.
    struct Ending {
        var events: [AnswerReader.Event] = []
        /// The bytes that turned out to be text, and the reason.
        var text: [UInt8] = []
        var error: ToolCallError?
        /// The bytes that have not been read.
        var rest: [UInt8] = []
    }

    private let read: @Sendable (String) throws -> [ToolCall]
    private let start: [UInt8]
    private let end: [UInt8]
    private var matcher: MarkMatcher
    private var block: CallBlock
    private var scanner: PythonCallScanner?
    private var out: CallEvents
    /// Bytes of the block, and those up to the end of the last call that was reported as a whole.
    private var scanned = 0
    private var reported = 0

    /// - Returns: `nil` for calls that are not parsed as a complete block.
    init?(_ calls: CallSyntax, _ out: CallEvents, mark: [UInt8], ignoresStrings: Bool = false) {
        let strings: ToolCallMarks.Strings
        switch calls.form {
        case .python:
            (read, strings, scanner) = (ToolCallFormat.lfm.calls(in:), .python, PythonCallScanner())
        case .foreign(let foreign):
            (read, strings, scanner) = (foreign.read, foreign.strings, nil)
        case .object, .named, .tagged: return nil
        }
        start = mark
        end = Array((calls.closes.first ?? "").utf8)
        matcher = MarkMatcher([calls.closes.first ?? ""])
        block = CallBlock(ignoresStrings ? .unknown : strings)
        self.out = out
    }

    /// Takes a byte and returns whether it completes the block.
    mutating func append(_ byte: UInt8) -> Bool {
        var released: [UInt8] = []
        let mark = matcher.append(byte, into: &released)
        take(released)
        guard let mark else { return false }
        if block.takesMark(mark) { return true }
        scan(mark)
        return false
    }

    /// Ends the block at a closing mark that arrived as a token, regardless of its position.
    mutating func finishMark() {
        var released: [UInt8] = []
        matcher.finish(into: &released)
        take(released)
    }

    private mutating func take(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        block.append(bytes)
        scan(bytes)
    }

    private mutating func scan(_ bytes: [UInt8]) {
        for byte in bytes {
            let calls = out.calls.count
            scanner?.append(byte, &out)
            scanned += 1
            if out.calls.count > calls { reported = scanned }
        }
    }

    /// Returns the events since the last call of this method.
    mutating func takeEvents() -> [AnswerReader.Event] {
        out.flush()
        defer { out.events = [] }
        return out.events
    }

    /// Ends the block.
    mutating func end(isWhole: Bool) -> Ending {
        guard !isWhole else { return conclude(block.takeText(), followedBy: end) }
        finishMark()
        if end.isEmpty { return conclude(block.takeText(), followedBy: []) }
        if let (content, rest) = block.cutAtQuotedMark() {
            // An unterminated string had hidden the closing mark: read what follows the mark after all.
            var ending = conclude(content, followedBy: end)
            ending.rest = Array(rest.utf8)
            return ending
        }
        // If the model ended its answer after a complete call, the call counts.
        let content = block.takeText()
        guard let calls = try? read(content) else { return abandon(content, followedBy: [], .cutOff(content)) }
        return conclude(calls, content, followedBy: [])
    }

    private mutating func conclude(_ content: String, followedBy mark: [UInt8]) -> Ending {
        do {
            return conclude(try read(content), content, followedBy: mark)
        } catch let error as ToolCallError {
            return abandon(content, followedBy: mark, error)
        } catch {
            return abandon(
                content, followedBy: mark,
                ToolCallError(.unexpected(expected: "a call", found: "\(error)"), at: 0, in: content))
        }
    }

    /// A block with a call of an unknown function, or with two arguments for one parameter, is text, except for the calls that
    /// were already reported and what is before them.
    private mutating func conclude(_ calls: [ToolCall], _ content: String, followedBy mark: [UInt8]) -> Ending {
        if let unknown = calls.first(where: { !out.accepts($0.name) }) {
            return abandon(content, followedBy: mark, ToolCallError(.unknownFunction(unknown.name), at: 0, in: content))
        }
        // JSON may have numbers for names.
        let parameter =
            scanner == nil || JSONCalls.isJSON(content) ? nil : calls.lazy.compactMap(out.parameterGivenTwice).first
        if let parameter {
            return abandon(content, followedBy: mark, ToolCallError(.duplicate(parameter), at: 0, in: content))
        }
        (scanner ?? PythonCallScanner()).reportRest(of: calls, &out)
        out.endBlock()
        return Ending(events: takeEvents())
    }

    private mutating func abandon(_ content: String, followedBy mark: [UInt8], _ error: ToolCallError) -> Ending {
        out.abandon()
        out.endBlock()
        // A call that was already reported must not be emitted as text, too.
        let text = reported > 0 ? Array(content.utf8.dropFirst(reported)) : start + Array(content.utf8)
        return Ending(events: takeEvents(), text: text + mark, error: error)
    }
}
