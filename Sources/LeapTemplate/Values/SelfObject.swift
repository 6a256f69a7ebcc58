/// The variable `self`: the template's blocks, to print them again.
final class SelfObject: TemplateObject {
    private let blocks: [String: BlockStatement]

    init(_ blocks: [String: BlockStatement]) {
        self.blocks = blocks
    }

    var typeName: String { "TemplateReference" }
    var describedType: String { "jinja2.runtime.TemplateReference object" }

    func isTrue(_ run: Interpreter) throws(Failure) -> Bool { true }

    func attribute(_ name: String, _ run: Interpreter) throws(Failure) -> Value? {
        guard let block = blocks[name] else { return nil }
        return .object(
            FunctionObject(name, []) { run, _ throws(Failure) in
                let text = try run.capture { () throws(Failure) in
                    try run.scoped(in: nil) { _ throws(Failure) in try run.run(block.body) }
                }.text
                return run.captured(text)
            })
    }

    func represent(_ printer: inout Printer) throws(Failure) {
        try printer.write("<TemplateReference None>")
    }
}
