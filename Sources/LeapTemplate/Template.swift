package import Foundation
package import LeapJSON

/// A parsed template in the Jinja language, configured like Hugging Face's `apply_chat_template`: with `trim_blocks`
/// and `lstrip_blocks`, `break` and `continue`, `{% generation %}` blocks, `raise_exception`, `strftime_now` and a
/// `tojson` that keeps non-ASCII characters.
///
/// Templates are untrusted: they can access nothing but their variables, and ``TemplateLimits`` bounds their cost.
package struct Template: Sendable {
    private let source: TemplateSource
    private let body: Body
    private let names: [String]
    /// Every name and every string in tags.
    package let words: Set<String>
    private let blocks: [String: BlockStatement]
    /// Names that are local to the template, whatever the caller passes.
    private let ownNames: Set<NameIndex>
    private let limits: TemplateLimits

    /// Parses a template.
    /// - Parameters:
    ///   - source: The template.
    ///   - limits: Bounds on the cost of rendering.
    /// - Throws: ``TemplateError`` with line and column.
    package init(_ source: String, limits: TemplateLimits = .default) throws(TemplateError) {
        self.limits = limits
        let source = TemplateSource(source)
        do throws(Failure) {
            guard source.bytes.count <= limits.sourceBytes else { throw .limit(.sourceBytes(limits.sourceBytes)) }
            var parser = try Parser(source)
            body = try parser.parseTemplate()
            names = parser.names
            words = parser.words
            blocks = parser.blocks
            ownNames = parser.firstUses.assignedFirst
        } catch {
            throw error.located(in: source, default: 0)
        }
        self.source = source
    }

    /// Renders the template.
    /// - Parameters:
    ///   - variables: The variables that the template sees in addition to the language's functions.
    ///   - now: The current time for `strftime_now`.
    ///   - timeZone: The time zone of `now`.
    /// - Throws: ``TemplateError`` with the location in the template. Time and memory are bounded by the limits.
    package func render(
        _ variables: [String: JSONValue], now: Date = Date(), timeZone: TimeZone = .current
    ) throws(TemplateError) -> String {
        let interpreter = Interpreter(names: names, limits: limits, now: now, timeZone: timeZone)
        do throws(Failure) {
            try interpreter.define(variables, blocks, except: ownNames)
            return try interpreter.render(body)
        } catch {
            throw error.located(in: source, default: interpreter.offset)
        }
    }
}

extension Interpreter {
    /// Sets the language's functions and the caller's variables, as far as the template mentions them.
    fileprivate func define(
        _ context: [String: JSONValue], _ blocks: [String: BlockStatement], except ownNames: Set<NameIndex>
    ) throws(Failure) {
        let functions = Dictionary(uniqueKeysWithValues: GlobalFunctions.all.map { ($0.name, $0) })
        for (index, name) in names.enumerated() where !ownNames.contains(index) {
            if name == "self" {
                globals[index] = .object(SelfObject(blocks))
            } else if let value = context[name] {
                globals[index] = try Value(value, budget)
            } else if let function = functions[name] {
                globals[index] = .object(FunctionObject(function))
            } else if name == "dict" {
                globals[index] = .object(DictFunction())
            }
        }
    }
}
