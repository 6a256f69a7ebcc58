import LeapJSON
import OrderedCollections

/// Reads a call that consists of a name followed by its arguments as JSON.
struct NamedCallReader {
    private enum State {
        case begin, header, arguments, loose
    }

    private let form: NamedForm
    private var state: State
    private var reader = JSONValueReader()
    private var loose = LooseObjectReader(quote: "\"")

    init(_ form: NamedForm) {
        self.form = form
        state = form.begins.isEmpty ? .header : .begin
    }

    /// A call whose name is known, so that only its arguments are read.
    init(argumentsOf name: String, id: String?, _ form: NamedForm, _ out: inout CallEvents) {
        self.form = form
        state = .arguments
        out.begin(name, id: id)
    }

    mutating func step(_ input: inout CallInput, _ out: inout CallEvents) -> CallProgress {
        switch state {
        case .begin:
            switch input.take(form.begins) {
            case .undecided: return .undecided
            case .no: return .failed(.unexpected(expected: form.begins, found: nil))
            case .yes:
                state = .header
                return .advanced
            }
        case .header: return header(&input, &out)
        case .arguments:
            if reader.isEmpty {
                input.skipSpace()
                guard let byte = input.next else { return .undecided }
                guard byte == UInt8(ascii: "{") else {
                    return .failed(.unexpected(expected: "an object with the arguments", found: nil))
                }
            }
            let progress = reader.read(&input) { out.append(CollectionOfOne($0)) }
            guard case .done = progress else { return progress }
            return finish(reader.value?.object, &out)
        case .loose:
            let progress = loose.read(&input)
            guard case .done = progress else { return progress }
            out.append((loose.value ?? [:]).text(.python).utf8)
            return finish(loose.value?.object, &out)
        }
    }

    private mutating func header(_ input: inout CallInput, _ out: inout CallEvents) -> CallProgress {
        let (text, isTooLong) = input.takeName(
            until: form.headerEndIsArguments ? nil : form.headerEnd,
            orBefore: form.headerEndIsArguments ? [form.headerEnd] : [])
        guard let text else {
            return isTooLong ? .failed(.unexpected(expected: form.headerEnd, found: nil)) : .undecided
        }
        guard let (name, id) = form.identify(text), out.accepts(name) else { return .failed(.unknownFunction(text)) }
        out.begin(name, id: id)
        switch form.arguments {
        case .json: state = .arguments
        case .loose(let quote):
            loose = LooseObjectReader(quote: quote)
            state = .loose
        }
        return .advanced
    }

    private func finish(_ arguments: OrderedDictionary<String, JSONValue>?, _ out: inout CallEvents) -> CallProgress {
        out.end(arguments ?? [:])
        return .done
    }
}
