/// The syntax of calls: the marks around them, and the form of a call.
struct CallSyntax: Sendable {
    /// The form of a call.
    enum Form: Sendable {
        /// JSON objects with a name and arguments, optionally in a list.
        case object(ObjectForm)
        /// A name, followed by the arguments as JSON.
        case named(NamedForm)
        /// A name, and each argument in its own tags.
        case tagged(TaggedForm)
        /// Python syntax, parsed when the block ends, because the block may contain text.
        case python
        /// A custom format of an app, parsed when the block ends.
        case foreign(ForeignCalls)
    }

    /// The marks that open a block of calls. If there are none, the answer itself is the block.
    var opens: [String] = []
    /// The marks that close it; the first one is used for writing.
    var closes: [String] = []
    /// Whether calls may also appear outside a block.
    var opensMayLack = false
    /// Whether a call ends a thought that is still open.
    var interruptsThoughts = false
    /// Whether a block contains a single call.
    var isSingle = false
    /// The separator between a mark and the text that it surrounds, when calls are written.
    var padding = ""
    /// The form of a call.
    var form: Form

    /// The texts that may begin calls.
    var starts: [String] { opens + (opensMayLack || opens.isEmpty ? begins : []) }

    /// The texts that begin each call.
    var begins: [String] {
        switch form {
        case .named(let form): [form.begins].filter { !$0.isEmpty }
        case .tagged(let form): [form.callBegins].filter { !$0.isEmpty }
        case .object, .python, .foreign: []
        }
    }

    /// Everything that may be a control token.
    var marks: [String] {
        let inner: [String] =
            switch form {
            case .named(let form): [form.begins, form.headerEnd] + form.ends + form.marks
            case .tagged(let form): [form.argument.keyEnd, form.argument.end, form.callEnd] + form.marks
            case .object, .python, .foreign: []
            }
        return (opens + closes + inner).filter { $0.utf8.count > 2 }
    }

    /// Whether an answer may begin with calls without any mark.
    var isBare: Bool {
        if case .object(let form) = form { form.isBare } else { false }
    }

    /// Whether a block may contain several calls.
    var allowsSeveral: Bool {
        switch form {
        case .python: true
        case .object(let form): form.isList
        case .named: !opens.isEmpty && !isSingle
        case .tagged, .foreign: !isSingle
        }
    }

    /// Whether line breaks around calls are the format's, not the answer's.
    var ownsLineBreaks: Bool {
        switch form {
        case .python, .foreign: false
        case .object, .named, .tagged: true
        }
    }
}

/// Calls as JSON objects: `{"name": "get_weather", "arguments": {"city": "Paris"}}`.
struct ObjectForm: Sendable {
    /// The key of the arguments when writing; others are read as well.
    var argumentsKey = "arguments"
    /// The key of the name when writing.
    var nameKey = "name"
    /// Whether the name is the key of the arguments: `{"get_weather": {"city": "Paris"}}`.
    var isKeyed = false
    /// Whether calls are written in a list, also if there is only one.
    var isList = false
    /// Whether an answer that consists only of such objects is a list of calls.
    var isBare = false
    /// Whether `name.call(argument="value")` is a call too, as Llama 3 calls its own tools.
    var readsDotCall = false
}

/// Calls as a name and arguments: `[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}`.
struct NamedForm: Sendable {
    /// The text that begins a call.
    var begins: String
    /// The separator between the name and its arguments.
    var headerEnd: String
    /// Whether the end of the header is the first character of the arguments.
    var headerEndIsArguments = false
    /// The texts that may follow the arguments; the first one is used for writing.
    var ends: [String] = []
    /// How arguments are written.
    var arguments = Arguments.json
    /// Further texts that may be control tokens.
    var marks: [String] = []
    /// The name in a header, and the call's identifier; `nil` if the text is not a header.
    var identify: @Sendable (_ header: String) -> (name: String, id: String?)? = { ($0, nil) }
    /// The text of a header; the position is the index among the calls.
    var header: @Sendable (_ name: String, _ position: Int) -> String = { name, _ in name }

    enum Arguments: Sendable {
        case json
        /// Keys without quotes, and strings between these marks: `{city:<|"|>Paris<|"|>}`.
        case loose(quote: String)
    }
}

/// Calls with tags: `<function=get_weather><parameter=city>Paris</parameter></function>`.
struct TaggedForm: Sendable {
    /// An argument.
    struct Argument: Sendable {
        /// The text that begins it.
        var begins: String
        /// The text that ends its name.
        var keyEnd: String
        /// Ends the tag with the name, after attributes or space, if any; empty if ``keyEnd`` does.
        var tagEnd = ""
        /// Ends the value; `$` is replaced by the name.
        var end: String
        /// Text around the value that is stripped, once on each side.
        var padding = ""
        /// Whether a value may be a section of raw text, such as XML's CDATA.
        var mayBeRaw = false
        /// Attributes before ``tagEnd`` of a value that is a string, and of one that is not.
        var stringAttribute: String?
        /// The syntax of an attribute; `nil` if there is none.
        var attribute: (@Sendable (_ isString: Bool) -> String)?
    }

    /// The text that begins a call; empty if the start of the block does.
    var callBegins = ""
    /// The text that ends the name.
    var nameEnd: String
    /// A text that also ends the name, but is not consumed.
    var nameEndsBefore: [String] = []
    /// Ends the tag with the name, after attributes, if any.
    var tagEnd = ""
    /// Its arguments.
    var argument: Argument
    /// The text that ends a call; empty if the end of the block does.
    var callEnd = ""
    /// The text that begins every tag inside a nested value.
    var nestedPrefix: String?
    /// The separator between tags, when calls are written.
    var separator = "\n"
    /// Further texts that may be control tokens.
    var marks: [String] = []
}

/// Calls that are parsed by an app's own parser.
struct ForeignCalls: Sendable {
    /// How strings are written in a block.
    let strings: ToolCallMarks.Strings
    let read: @Sendable (_ block: String) throws -> [ToolCall]
    let write: @Sendable (_ calls: [ToolCall]) -> String
}
