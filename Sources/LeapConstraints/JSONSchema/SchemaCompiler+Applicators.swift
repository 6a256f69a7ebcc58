import LeapJSON
import OrderedCollections

/// Keywords that apply other schemas to the same value.
extension SchemaCompiler {
    func applicators(of id: ID) throws(ConstraintError) -> SchemaApplicators {
        if let known = applicators[id] { return known }
        let schema = document.schemas[id]
        var result = SchemaApplicators(pointer: schema.pointer)
        switch schema.value {
        case .bool(let flag): result.isFalse = !flag
        case .object(let members):
            for (keyword, value) in members where SchemaKeywords.applicators.contains(keyword) {
                try apply(SchemaReader(pointer: schema.pointer, keyword: keyword, value: value), id, &result)
            }
            try applyConditional(schema, id, &result)
        default: throw .schema(pointer: schema.pointer, keyword: "", reason: "must be an object, true or false")
        }
        applicators[id] = result
        return result
    }

    private func apply(
        _ reader: SchemaReader, _ id: ID, _ result: inout SchemaApplicators
    ) throws(ConstraintError) {
        switch reader.keyword {
        case "$ref", "$dynamicRef", "$recursiveRef": result.all.append(try reference(reader))
        case "allOf":
            for (pointer, value) in try reader.schemas() { result.all.append(document.id(value, at: pointer)) }
        case "anyOf", "oneOf":
            let branches = try reader.schemas().map { document.id($0.value, at: $0.pointer) }
            guard !branches.isEmpty else { throw reader.refusal("must contain at least one schema") }
            let group = document.id(reader.value, at: SchemaDocument.child(reader.pointer, reader.keyword))
            let isExclusive = reader.keyword == "oneOf" && branches.count > 1
            result.groups.append(.init(id: group, isExclusive: isExclusive, branches: branches))
            owners[group] = id
        case "not": try applyNegation(reader, &result)
        case "dependentRequired", "dependentSchemas", "dependencies": try applyDependencies(reader, &result)
        default: break
        }
    }

    /// The subschema to which a `$ref` refers, or a dynamic reference with only one possible target.
    func reference(_ reader: SchemaReader) throws(ConstraintError) -> ID {
        let target = try reader.string()
        if reader.keyword != "$ref", document.isDynamic(target, reader.keyword) {
            throw reader.refusal("has several possible targets, depending on the path of references")
        }
        return try document.resolve(target, from: reader.pointer, keyword: reader.keyword)
    }

    /// A schema derived from a keyword, with a location of its own.
    private func derive(_ value: JSONValue, _ pointer: String, _ suffix: String) -> ID {
        document.id(value, at: SchemaDocument.child(pointer, suffix))
    }

    private func applyNegation(_ reader: SchemaReader, _ result: inout SchemaApplicators) throws(ConstraintError) {
        let (pointer, value) = try reader.schema()
        result.all.append(derive(SchemaNegation.negated(value, document.draft), pointer, "(negated)"))
    }

    /// `if A then B else C` is `(A and B) or (not A and C)`.
    private func applyConditional(
        _ schema: SchemaDocument.Subschema, _ id: ID, _ result: inout SchemaApplicators
    ) throws(ConstraintError) {
        guard let condition = schema.value["if"] else { return }
        let (positive, negative) = (schema.value["then"], schema.value["else"])
        guard positive != nil || negative != nil else { return }
        let negated = SchemaNegation.negated(condition, document.draft)
        let branches: [JSONValue] = [
            ["allOf": .array([condition, positive ?? true])], ["allOf": .array([negated, negative ?? true])],
        ]
        let pointer = SchemaDocument.child(schema.pointer, "if")
        let ids = branches.enumerated().map { derive($1, pointer, "(branch \($0))") }
        let keywords = schema.value.object?.filter { ["if", "then", "else"].contains($0.key) } ?? [:]
        let judgement = judgement(by: .object(keywords), [condition, positive, negative].compactMap(\.self))
        result.groups.append(
            .init(
                id: derive(.array(branches), pointer, "(branches)"), branches: ids,
                judgement: derive(judgement, pointer, "(judged)")))
    }

    /// A schema that evaluates complete values by a condition, and declares what the condition's branches declare.
    private func judgement(by condition: JSONValue, _ branches: [JSONValue]) -> JSONValue {
        var names: OrderedDictionary<String, JSONValue> = [:]
        var isPlain = true
        for branch in branches.compactMap(\.object) {
            let declared = Array((branch["properties"]?.object ?? [:]).keys)
            for name in declared + (branch["required"]?.array ?? []).compactMap(\.string) { names[name] = true }
            isPlain = isPlain && !branch.keys.contains(where: SchemaKeywords.inPlace.contains)
        }
        var keywords: OrderedDictionary<String, JSONValue> = [
            SchemaNegation.check: condition, "properties": .object(names),
        ]
        if !isPlain { keywords["unevaluatedProperties"] = true }
        return .object(keywords)
    }

    /// If a key occurs, others must too, or a schema must hold: either the key is absent, or it is present with all of
    /// these.
    private func applyDependencies(_ reader: SchemaReader, _ result: inout SchemaApplicators) throws(ConstraintError) {
        guard let members = reader.value.object else { throw reader.refusal("must be an object") }
        let place = SchemaDocument.child(reader.pointer, reader.keyword)
        for (key, value) in members {
            let absent: JSONValue = ["properties": .object([key: false])]
            var present: JSONValue = ["required": .array([.string(key)]), "allOf": .array([value])]
            // Draft 3 allows a single key as a string.
            if case .array(let others) = value.string == nil ? value : [value] {
                guard others.allSatisfy({ $0.string != nil }) else {
                    throw reader.refusal("must list property names as strings")
                }
                present = ["required": .array([.string(key)] + others)]
            }
            let pointer = SchemaDocument.child(place, key)
            // Values that are not objects satisfy the first branch, because none of its keywords applies to them.
            let ids = [derive(absent, pointer, "(absent)"), derive(present, pointer, "(present)")]
            let judgement = judgement(by: [reader.keyword: .object([key: value])], [present, value])
            result.groups.append(
                .init(
                    id: derive(.array([absent, present]), pointer, "(branches)"), branches: ids,
                    judgement: derive(judgement, pointer, "(judged)")))
        }
    }
}
