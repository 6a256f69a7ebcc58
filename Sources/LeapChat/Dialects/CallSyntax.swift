/// How calls are written: what surrounds them, and what one looks like.
struct CallSyntax: Sendable {
    /// What a call looks like.
    enum Form: Sendable {
        /// Objects of a name and arguments, in a list or not.
        case object(ObjectForm)
        /// A name, and the arguments after it as JSON.
        case named(NamedForm)
        /// A name, and each argument between tags of its own.
        case tagged(TaggedForm)
        /// Python, read when the block ends, because it may contain text.
        case python
        /// An app's own format, read when the block ends.
        case foreign(ForeignCalls)
    }

    /// What opens a block of calls. Where there is none, the answer itself is one.
    var opens: [String] = []
    /// What closes it; the first is what is written.
    var closes: [String] = []
    /// Whether calls come without a block as well.
    var opensMayLack = false
    /// Whether a call ends a thought that nothing else ended.
    var interruptsThoughts = false
    /// Whether a block holds one call.
    var isSingle = false
    /// The separator between a mark and the text that it surrounds, when calls are written.
    var padding = ""
    /// What a call looks like.
    var form: Form

    /// What may begin calls in a text.
    var starts: [String] { opens + (opensMayLack || opens.isEmpty ? begins : []) }

    /// What begins each call.
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

    /// Whether calls are what an answer begins with, without any mark.
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
    /// Whether an answer that is nothing but such objects is one of calls.
    var isBare = false
    /// Whether `name.call(argument="value")` is a call too, as Llama 3 calls its own tools.
    var readsDotCall = false
}

/// Calls as a name and arguments: `[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}`.
struct NamedForm: Sendable {
    /// What begins a call.
    var begins: String
    /// The separator between the name and its arguments.
    var headerEnd: String
    /// Whether the end of the header is the first character of the arguments.
    var headerEndIsArguments = false
    /// What may follow the arguments; the first is what is written.
    var ends: [String] = []
    /// How arguments are written.
    var arguments = Arguments.json
    /// Further texts that may be control tokens.
    var marks: [String] = []
    /// The name in a header, and the call's identifier; `nil` for what is none.
    var identify: @Sendable (_ header: String) -> (name: String, id: String?)? = { ($0, nil) }
    /// A header, as it is written; the position is that among the calls.
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
        /// What begins it.
        var begins: String
        /// What ends its name.
        var keyEnd: String
        /// Ends the tag with the name, after attributes or space, if any; empty if ``keyEnd`` does.
        var tagEnd = ""
        /// Ends the value; `$` is replaced by the name.
        var end: String
        /// What may surround the value, one of it.
        var padding = ""
        /// Whether a value may be a section of raw text, as XML writes what would be tags.
        var mayBeRaw = false
        /// Attributes before ``tagEnd`` of a value that is a string, and of one that is not.
        var stringAttribute: String?
        /// How an attribute is written; `nil` where there is none.
        var attribute: (@Sendable (_ isString: Bool) -> String)?
    }

    /// What begins a call; empty where the block does.
    var callBegins = ""
    /// What ends the name.
    var nameEnd: String
    /// What ends the name as well, and is read as what it is.
    var nameEndsBefore: [String] = []
    /// Ends the tag with the name, after attributes, if any.
    var tagEnd = ""
    /// Its arguments.
    var argument: Argument
    /// What ends a call; empty where the block's end does.
    var callEnd = ""
    /// What begins every tag inside a value that has parts.
    var nestedPrefix: String?
    /// The separator between tags, when calls are written.
    var separator = "\n"
    /// Further texts that may be control tokens.
    var marks: [String] = []
}

/// Calls that an app's own parser reads.
struct ForeignCalls: Sendable {
    /// How strings are written in a block.
    let strings: ToolCallMarks.Strings
    let read: @Sendable (_ block: String) throws -> [ToolCall]
    let write: @Sendable (_ calls: [ToolCall]) -> String
}
