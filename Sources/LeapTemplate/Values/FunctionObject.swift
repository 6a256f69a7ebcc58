/// A function as a value: a global, or a method bound to its receiver.
final class FunctionObject: TemplateObject {
    typealias Body = (Interpreter, Arguments) throws(Failure) -> Value

    let name: String
    let typeName: String
    let nesting: Int
    private let parameters: ParameterList
    private let receiver: Value?
    private let body: Body
    private let account: Account

    init(_ name: String, _ parameters: [String], typeName: String = "function", _ body: @escaping Body) {
        self.name = name
        self.typeName = typeName
        self.parameters = ParameterList(parameters)
        self.body = body
        receiver = nil
        nesting = 0
        account = .none
    }

    init(_ builtin: Builtin) {
        name = builtin.name
        typeName = "function"
        parameters = builtin.parameters
        body = builtin.body
        receiver = nil
        nesting = 0
        account = .none
    }

    /// A method of `receiver`, which becomes its first argument.
    init(_ method: Builtin, of receiver: Value, _ budget: Budget) throws(Failure) {
        name = method.name
        typeName = "builtin_function_or_method"
        parameters = method.parameters
        body = method.body
        self.receiver = receiver
        nesting = try budget.nesting(around: CollectionOfOne(receiver))
        account = try Account(budget, referringTo: receiver)
    }

    deinit { account.close() }

    var isCallable: Bool { true }

    func call(_ arguments: CallArguments, _ run: Interpreter) throws(Failure) -> Value {
        let all = receiver.map { arguments.inserting($0) } ?? arguments
        return try body(run, parameters.bind(all, to: name))
    }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write("<\(typeName == "function" ? "function" : "built-in method") \(name)>")
    }
}
