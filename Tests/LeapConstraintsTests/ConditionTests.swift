import LeapConstraints
import Testing

/// Many conditions on one value: contradictory combinations are dropped, and if too many remain, whole values are judged.
@Suite struct ConditionTests {
    /// A condition per kind, each of which requires its own member.
    private static func kinds(_ count: Int, requiresKind: Bool = true) -> String {
        let conditions = (0..<count).map { index in
            #"{"if":{"properties":{"k":{"const":"k\#(index)"}}\#(requiresKind ? #","required":["k"]"# : "")},"#
                + #""then":{"required":["a\#(index)"],"properties":{"a\#(index)":{"type":"integer"}}}}"#
        }
        let names = (0..<count).map { "\"k\($0)\"" }.joined(separator: ",")
        return #"{"type":"object","properties":{"k":{"enum":[\#(names)]}},"required":["k"],"#
            + #""allOf":[\#(conditions.joined(separator: ","))]}"#
    }

    @Test(.timeLimit(.minutes(1)), arguments: [7, 30], [true, false])
    func `many conditions on one discriminator are compiled without judging`(count: Int, requiresKind: Bool) throws {
        let schema = Self.kinds(count, requiresKind: requiresKind)
        for reading in [SchemaReading.standard, .generation] {
            let constraint = try Constraint(jsonSchema: schema, reading: reading)
            #expect(!constraint.judgesValues)
            for text in [#"{"k":"k6","a6":1}"#, #"{"k":"k0","a0":2}"#] {
                #expect(rejection(of: text, by: constraint) == nil, "\(text)")
            }
            for text in [#"{"k":"k6","a5":1}"#, #"{"k":"k0"}"#, #"{"k":"k0","a0":""}"#, #"{"a0":1}"#, #"{"k":"x"}"#] {
                #expect(rejection(of: text, by: constraint) != nil, "\(text)")
            }
        }
    }

    @Test func `conditions on members do not restrict values that are not objects`() throws {
        let conditions = (0..<8).map { index in
            #"{"if":{"properties":{"k":{"const":\#(index)}},"required":["k"]},"then":{"required":["a\#(index)"]}}"#
        }
        let constraint = try Constraint(jsonSchema: #"{"allOf":[\#(conditions.joined(separator: ","))]}"#)
        for text in ["1", "[]", "{}", #"{"k":3,"a3":0}"#, #"{"k":9}"#, #"{"k":3.0,"a3":0}"#] {
            #expect(rejection(of: text, by: constraint) == nil, "\(text)")
        }
        for text in [#"{"k":3}"#, #"{"k":3.0}"#, #"{"k":3,"a4":0}"#] {
            #expect(rejection(of: text, by: constraint) != nil, "\(text)")
        }
    }

    @Test(arguments: [10, 30])
    func `many conditions that do not contradict each other are judged on whole values`(count: Int) throws {
        let members = (0..<count).map { #""a\#($0)":["b\#($0)"]"# }.joined(separator: ",")
        let schema = #"{"type":"object","dependentRequired":{\#(members)}}"#
        let constraint = try Constraint(jsonSchema: schema)
        #expect(constraint.judgesValues)
        for text in ["{}", #"{"b3":0}"#, #"{"a3":1,"b3":0,"c":1}"#] {
            #expect(rejection(of: text, by: constraint) == nil, "\(text)")
        }
        for text in [#"{"a3":1}"#, #"{"a3":1,"b4":1}"#] {
            #expect(rejection(of: text, by: constraint) != nil, "\(text)")
        }
        let generation = try Constraint(jsonSchema: schema, reading: .generation)
        #expect(rejection(of: #"{"a3":1,"b3":0}"#, by: generation) == nil)
        #expect(rejection(of: #"{"a3":1,"c":0}"#, by: generation) != nil)
    }

    @Test func `a contradiction between all alternatives is rejected with its location`() {
        let schema = #"{"allOf":[{"anyOf":[{"type":"string"},{"const":"a"}]},{"anyOf":[{"type":"null"},{"const":1}]}]}"#
        let error = #expect(throws: ConstraintError.self) { try Constraint(jsonSchema: schema) }
        guard case .schema(let pointer, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(pointer.hasPrefix("#/allOf/"))
    }
}
