extension TextStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        try run.write(text)
        return .next
    }
}

extension OutputStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        let value = try run.evaluate(expression)
        run.offset = offset
        try run.write(run.escapesOutput ? run.escapedText(of: value) : run.text(of: value))
        return .next
    }
}

extension IfStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        for branch in branches where try run.isTrue(run.evaluate(branch.condition)) {
            return try run.run(branch.body)
        }
        return try run.run(alternative)
    }
}

extension ForStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        let iterable = try run.evaluate(iterable)
        run.offset = offset
        guard isRecursive else { return try LoopObject(self, in: run.scope).execute(over: iterable, run) }
        let text = try run.capture { () throws(Failure) in
            try LoopObject(self, in: run.captureScope()).execute(over: iterable, run)
        }.text
        try run.write(text)
        return .next
    }
}

extension JumpStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow { flow }
}

extension SetStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        run.offset = offset
        try requireNamespaces(in: target, run)
        let value = try run.evaluate(value)
        run.offset = offset
        try run.assign(value, to: target)
        return .next
    }

    private func requireNamespaces(in target: Target, _ run: Interpreter) throws(Failure) {
        switch target {
        case .name: break
        case .attribute(let name, _): _ = try run.namespace(name)
        case .tuple(let targets): for target in targets { try requireNamespaces(in: target, run) }
        }
    }
}

extension SetBlockStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        let outer = run.scope
        return try run.scoped { () throws(Failure) in
            let (text, flow) = try run.capture { () throws(Failure) in try run.run(body) }
            guard case .next = flow else { return flow }
            var value = run.captured(text)
            for filter in filters { value = try filter.apply(to: value, run) }
            if run.escapesOutput { value = .markup(try run.text(of: value)) }
            run.scope = outer
            run.offset = offset
            try run.assign(value, to: target)
            return .next
        }
    }
}

extension FilterStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        try run.scoped { () throws(Failure) in
            let (text, flow) = try run.capture { () throws(Failure) in try run.run(body) }
            guard case .next = flow else { return flow }
            var value = run.captured(text)
            for filter in filters { value = try filter.apply(to: value, run) }
            try run.write(run.printable(value))
            return .next
        }
    }
}

extension WithStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        var values: [Value] = []
        for assignment in assignments { values.append(try run.evaluate(assignment.value)) }
        return try run.scoped { () throws(Failure) in
            run.offset = offset
            for (assignment, value) in zip(assignments, values) { try run.assign(value, to: assignment.target) }
            return try run.run(body)
        }
    }
}

extension GenerationStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        try run.scoped { () throws(Failure) in try run.run(body) }
    }
}

extension AutoescapeStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        let outer = run.escapesOutput
        run.escapesOutput = try run.isTrue(run.evaluate(flag))
        defer { run.escapesOutput = outer }
        return try run.scoped { () throws(Failure) in try run.run(body) }
    }
}

extension BlockStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        // Only a scoped block sees the variables of the enclosing loops and macros.
        try run.scoped(in: isScoped ? run.scope : nil) { _ throws(Failure) in try run.run(body) }
    }
}

extension MacroStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        try run.set(name, to: .object(MacroObject(definition, in: try run.captureScope())))
        return .next
    }
}

extension CallStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        let caller = Value.object(MacroObject(definition, in: try run.captureScope()))
        let callee = try run.evaluate(callee)
        var arguments = try arguments.evaluate(run)
        arguments.keywords.append(("caller", caller))
        run.offset = offset
        let result = try run.call(callee, arguments)
        try run.write(run.printable(result))
        return .next
    }
}

extension Interpreter {
    /// The text of a value that is printed without conversion, such as the results of blocks.
    fileprivate func printable(_ value: Value) throws(Failure) -> String {
        guard let text = value.text else {
            throw .type("sequence item 0: expected str instance, \(value.typeName) found")
        }
        return text
    }
}

extension LoadStatement {
    func execute(_ run: Interpreter) throws(Failure) -> Flow {
        run.offset = offset
        throw .type("'\(tag)' is not supported: a chat template cannot load other templates")
    }
}
