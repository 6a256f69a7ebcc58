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

extension PostfixExpression {
    func evaluate(_ run: Interpreter) throws(Failure) -> Value {
        var value = try run.evaluate(base)
        for link in links {
            try run.budget.step()
            value = try link.follow(from: value, run)
        }
        return value
    }
}

extension AttributeLink {
    func follow(from value: Value, _ run: Interpreter) throws(Failure) -> Value {
        run.offset = offset
        return try run.attribute(of: value, name)
    }
}

extension ItemLink {
    func follow(from value: Value, _ run: Interpreter) throws(Failure) -> Value {
        let key = try run.evaluate(key)
        run.offset = offset
        return try run.item(of: value, key)
    }
}

extension SliceLink {
    func follow(from value: Value, _ run: Interpreter) throws(Failure) -> Value {
        let (start, stop, step) = (try bound(start, run), try bound(stop, run), try bound(step, run))
        run.offset = offset
        return try run.slice(value, start, stop, step)
    }

    private func bound(_ expression: (any Expression)?, _ run: Interpreter) throws(Failure) -> Value {
        guard let expression else { return .none }
        return try run.evaluate(expression)
    }
}

extension CallLink {
    func follow(from value: Value, _ run: Interpreter) throws(Failure) -> Value {
        let arguments = try arguments.evaluate(run)
        run.offset = offset
        return try run.call(value, arguments)
    }
}

extension FilterLink {
    func follow(from value: Value, _ run: Interpreter) throws(Failure) -> Value {
        try filter.apply(to: value, run)
    }
}

extension TestLink {
    func follow(from value: Value, _ run: Interpreter) throws(Failure) -> Value {
        let result = try test.apply(to: value, run)
        return isNegated ? .bool(try !run.isTrue(result)) : result
    }
}

extension ArgumentList {
    @inline(never)
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

extension Application {
    @inline(never)
    func apply(to value: Value, _ run: Interpreter) throws(Failure) -> Value {
        let function = try function.get()
        let arguments = try arguments.evaluate(run).inserting(value)
        run.offset = offset
        return try function.call(arguments, run)
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
        for condition in conditions.reversed() where try !run.isTrue(run.evaluate(condition.test)) {
            guard let alternative = condition.alternative else {
                return Undefined.hint("the inline if-expression evaluated to false and no else section was defined.")
            }
            return try run.evaluate(alternative)
        }
        return try run.evaluate(consequence)
    }
}
