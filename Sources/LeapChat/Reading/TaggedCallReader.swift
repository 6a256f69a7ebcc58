import LeapJSON
import OrderedCollections

/// Reads a call whose arguments are between tags.
struct TaggedCallReader {
    private enum State {
        case begin, name, nameTail, tag
        case key
        case keyTail(key: String)
        case value(key: String, isString: Bool?)
        /// In a section of raw text, in which the end of the value does not count.
        case rawText(key: String, isString: Bool?)
        case valueEnd(key: String, isString: Bool?)
    }

    private let form: TaggedForm
    /// What ends the block, and with it a call that has no end of its own.
    private let closes: [String]
    private var state: State
    private var name = ""
    private var arguments: OrderedDictionary<String, JSONValue> = [:]

    init(_ form: TaggedForm, closes: [String]) {
        self.form = form
        self.closes = closes
        state = form.callBegins.isEmpty ? .name : .begin
    }

    mutating func step(_ input: inout CallInput, _ out: inout CallEvents) -> CallProgress {
        switch state {
        case .begin: return literal(input.take(form.callBegins), form.callBegins, .name)
        case .name: return readName(&input, &out)
        case .nameTail: return readTail(&input, form.tagEnd) { _ in .tag }
        case .tag: return readTag(&input, &out)
        case .key:
            let (text, isTooLong) = input.takeName(until: form.argument.keyEnd)
            guard let key = text?.trimmedOfSpace else { return waiting(isTooLong, form.argument.keyEnd) }
            guard arguments[key] == nil else { return .failed(.duplicate(key)) }
            state = form.argument.tagEnd.isEmpty ? .value(key: key, isString: nil) : .keyTail(key: key)
            return .advanced
        case .keyTail(let key):
            let attribute = form.argument.stringAttribute
            return readTail(&input, form.argument.tagEnd) { tail in
                .value(key: key, isString: attribute.map { tail.contains($0) })
            }
        case .value(let key, let isString): return beginValue(input, key, isString)
        case .rawText(let key, let isString):
            guard input.searchBehind(Self.rawEnd) else { return .undecided }
            state = .valueEnd(key: key, isString: isString)
            return .advanced
        case .valueEnd(let key, let isString): return readValue(&input, &out, key, isString)
        }
    }

    private mutating func literal(_ match: CallInput.Match, _ text: String, _ next: State) -> CallProgress {
        switch match {
        case .undecided: return .undecided
        case .no: return .failed(.unexpected(expected: text, found: nil))
        case .yes:
            state = next
            return .advanced
        }
    }

    private func waiting(_ isTooLong: Bool, _ expected: String) -> CallProgress {
        isTooLong ? .failed(.unexpected(expected: expected, found: nil)) : .undecided
    }
}

// MARK: - Steps

extension TaggedCallReader {
    private mutating func readName(_ input: inout CallInput, _ out: inout CallEvents) -> CallProgress {
        input.skipSpace()
        let (text, isTooLong) = input.takeName(until: form.nameEnd, orBefore: form.nameEndsBefore)
        guard let text else { return waiting(isTooLong, form.nameEnd) }
        name = text.trimmedOfSpace
        guard out.accepts(name), !name.contains(where: { $0 == "<" || $0 == "{" || $0.isNewline }) else {
            return .failed(.unknownFunction(name))
        }
        out.begin(name, id: nil)
        state = form.tagEnd.isEmpty ? .tag : .nameTail
        return .advanced
    }

    private mutating func readTail(
        _ input: inout CallInput, _ end: String, _ next: (_ tail: String) -> State
    ) -> CallProgress {
        let (text, isTooLong) = input.takeName(until: end)
        guard let text else { return waiting(isTooLong, end) }
        state = next(text)
        return .advanced
    }

    /// An argument, or the end of the call.
    private mutating func readTag(_ input: inout CallInput, _ out: inout CallEvents) -> CallProgress {
        input.skipSpace()
        let end = form.callEnd.isEmpty ? input.isAt(anyOf: closes) : input.take(form.callEnd)
        switch end {
        case .yes:
            out.append((arguments.isEmpty ? "{}" : "}").utf8)
            out.end(arguments)
            return .done
        case .undecided: return .undecided
        case .no: return literal(input.take(form.argument.begins), form.argument.begins, .key)
        }
    }

    private mutating func beginValue(_ input: CallInput, _ key: String, _ isString: Bool?) -> CallProgress {
        switch form.argument.mayBeRaw ? input.isAt(Self.rawStart) : .no {
        case .undecided: return .undecided
        case .yes: state = .rawText(key: key, isString: isString)
        case .no: state = .valueEnd(key: key, isString: isString)
        }
        return .advanced
    }

    private mutating func readValue(
        _ input: inout CallInput, _ out: inout CallEvents, _ key: String, _ isString: Bool?
    ) -> CallProgress {
        let end = form.argument.end.replacing("$", with: key)
        guard let bytes = input.takeValue(until: end) else { return .undecided }
        let value = value(of: bytes, isString, out.function(name)?.schema(of: key))
        out.append((arguments.isEmpty ? "{" : ", ").utf8)
        out.append("\(JSONValue.string(key).text(.python)): \(value.text(.python))".utf8)
        arguments[key] = value
        state = .tag
        return .advanced
    }

    /// XML's way to write what would be tags.
    private static let rawStart = "<![CDATA["
    private static let rawEnd = Array("]]>".utf8)

    /// The text of a value that is a section of raw text and nothing else.
    private func rawText(of bytes: [UInt8]) -> String? {
        let start = Self.rawStart.utf8
        guard form.argument.mayBeRaw, bytes.starts(with: start),
            let end = bytes.dropFirst(start.count).firstRange(of: Self.rawEnd),
            bytes[end.upperBound...].allSatisfy(\.isASCIISpace)
        else { return nil }
        return String(decoding: bytes[start.count..<end.lowerBound], as: UTF8.self)
    }

    private func value(of bytes: [UInt8], _ isString: Bool?, _ schema: ParameterSchema?) -> JSONValue {
        if let text = rawText(of: bytes) { return .string(text) }
        let text = String(decoding: Self.without(form.argument.padding, bytes[...]), as: UTF8.self)
        if let prefix = form.nestedPrefix, let nested = NestedTags(prefix: prefix).value(of: text, schema) {
            return nested
        }
        return ArgumentText.value(text, schema, isString: isString)
    }

    /// A value without what may surround it, one of it at either end. Whoever writes a carriage return before the first line
    /// break writes one before the last.
    private static func without(_ padding: String, _ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let padding = Array((padding == "\n" && value.starts(with: "\r\n".utf8) ? "\r\n" : padding).utf8)
        var value = value
        if value.starts(with: padding) { value = value.dropFirst(padding.count) }
        if value.suffix(padding.count).elementsEqual(padding) { value = value.dropLast(padding.count) }
        return value
    }
}
