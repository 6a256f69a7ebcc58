import OrderedCollections

extension LiteralExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        switch constant {
        case .none: .none
        case .bool(let flag): .bool(flag)
        case .small(let number): .int(number)
        case .integer(let number): .bigInt(number)
        case .float(let number): .float(number)
        case .string(let text): .string(text)
        }
    }
}

extension NameExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        run.variable(name) ?? Undefined.name(run.names[name])
    }
}

extension SequenceExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        var values: [Value] = []
        values.reserveCapacity(items.count)
        for item in items { values.append(try run.evaluate(item)) }
        return try isTuple ? run.budget.tuple(values) : run.budget.list(values)
    }
}

extension DictExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        var entries: DictValue.Entries = [:]
        for pair in pairs {
            let key = try run.evaluate(pair.key)
            let value = try run.evaluate(pair.value)
            run.offset = offset
            entries[try DictKey(key, run.budget)] = value
        }
        return try run.budget.dict(entries)
    }
}

extension AttributeExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        let base = try run.evaluate(base)
        run.offset = offset
        return try run.attribute(of: base, name)
    }
}

extension ItemExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        let base = try run.evaluate(base)
        let key = try run.evaluate(key)
        run.offset = offset
        return try run.item(of: base, key)
    }
}

extension SliceExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        let base = try run.evaluate(base)
        let start = try start.map { bound throws(Failure) in try run.evaluate(bound) } ?? .none
        let stop = try stop.map { bound throws(Failure) in try run.evaluate(bound) } ?? .none
        let step = try step.map { bound throws(Failure) in try run.evaluate(bound) } ?? .none
        run.offset = offset
        return try run.slice(base, start, stop, step)
    }
}

extension ArgumentList {
    func evaluate(_ run: Interpreter) throws(Failure) -> CallArguments {
        var arguments = CallArguments()
        arguments.positional.reserveCapacity(positional.count + 1)
        for argument in positional { arguments.positional.append(try run.evaluate(argument)) }
        if let unpacked {
            let values = try run.evaluate(unpacked)
            arguments.positional += try run.elements(of: values)
        }
        for (name, argument) in keywords { arguments.keywords.append((name, try run.evaluate(argument))) }
        if let unpackedKeywords { try unpack(run.evaluate(unpackedKeywords), into: &arguments) }
        return arguments
    }

    private func unpack(_ value: Value, into arguments: inout CallArguments) throws(Failure) {
        guard case .dict(let dict) = value else {
            throw .type("argument after ** must be a mapping, not \(value.typeName)")
        }
        for (key, value) in dict.entries {
            guard let name = key.value.text else { throw .type("keywords must be strings") }
            guard !arguments.keywords.contains(where: { $0.name == name }) else {
                throw .type("got multiple values for keyword argument '\(name)'")
            }
            arguments.keywords.append((name, value))
        }
    }
}

extension CallExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        try evaluate(run, caller: nil)
    }

    /// - Parameter caller: The body of a `call` block, passed as an argument of that name.
    func evaluate(_ run: Interpreter, caller: Value?) throws(Failure) -> Value {
        let callee = try run.evaluate(callee)
        var arguments = try arguments.evaluate(run)
        if let caller { arguments.keywords.append(("caller", caller)) }
        run.offset = offset
        return try run.call(callee, arguments)
    }
}

extension Application {
    func apply(to value: Value, _ run: Interpreter) throws(Failure) -> Value {
        let function = try function.get()
        let arguments = try arguments.evaluate(run).inserting(value)
        run.offset = offset
        return try function.call(arguments, run)
    }
}

extension FilterExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        try filter.apply(to: run.evaluate(base), run)
    }
}

extension TestExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        let result = try test.apply(to: run.evaluate(base), run)
        return isNegated ? .bool(try !run.isTrue(result)) : result
    }
}

extension NotExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        .bool(try !run.isTrue(run.evaluate(operand)))
    }
}

extension SignExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        let value = try run.evaluate(operand)
        run.offset = offset
        return try run.signed(value, isNegated: isNegated)
    }
}

extension ArithmeticExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        var result = try run.evaluate(first)
        for term in terms {
            let operand = try run.evaluate(term.operand)
            run.offset = term.offset
            result = try run.arithmetic(term.operation, result, operand)
        }
        return result
    }
}

extension ConcatenationExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        var values: [Value] = []
        for operand in operands { values.append(try run.evaluate(operand)) }
        run.offset = offset
        let isMarkup = run.escapesOutput && values.contains { $0.isMarkup }
        var text = ""
        for value in values {
            let part = try isMarkup ? run.escapedText(of: value) : run.text(of: value)
            try run.budget.allocate(part)
            text += part
        }
        return isMarkup ? .markup(text) : .string(text)
    }
}

extension ComparisonExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        var left = try run.evaluate(first)
        for term in terms {
            let right = try run.evaluate(term.operand)
            run.offset = term.offset
            guard try run.compare(term.operation, left, right) else { return .bool(false) }
            left = right
        }
        return .bool(true)
    }
}

extension LogicalExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        var value = Value.none
        for operand in operands {
            value = try run.evaluate(operand)
            if try run.isTrue(value) != isAnd { return value }
        }
        return value
    }
}

extension ConditionalExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        if try run.isTrue(run.evaluate(condition)) { return try run.evaluate(consequence) }
        guard let alternative else {
            return Undefined.hint("the inline if-expression evaluated to false and no else section was defined.")
        }
        return try run.evaluate(alternative)
    }
}
