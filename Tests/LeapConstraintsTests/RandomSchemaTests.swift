import LeapConstraints
import LeapJSON
import Testing
import _LeapTestSupport

/// The essential properties: a completed text is valid, and there are no dead ends.
@Suite struct RandomSchemaTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `masks of a random schema give valid texts and no dead ends`(seed: UInt64) throws {
        var schemas = RandomSchema(seed: seed)
        var finished = 0
        for _ in 0..<8 {
            let schema = schemas.schema()
            guard let constraint = try? Constraint(jsonSchema: schema) else { continue }
            let validator = SchemaValidator(root: schema)
            for _ in 0..<3 {
                let walk = RandomWalk(constraint, smallVocabulary, tokens: 120, using: &schemas.generator)
                #expect(walk.fault == nil, "\(schema.text()) after \(String(decoding: walk.text, as: UTF8.self))")
                guard walk.isFinished else { continue }
                finished += 1
                let value = try JSONValue(parsing: walk.text)
                #expect(validator.isValid(value), "\(schema.text()) made \(value.text())")
            }
        }
        #expect(finished > 0)
    }

    @Test(arguments: ["lfm2-tied-f32"])
    func `a real vocabulary also gives valid texts and no dead ends`(fixture: String) throws {
        let vocabulary = try vocabulary(of: fixture)
        var schemas = RandomSchema(seed: 77)
        for _ in 0..<20 {
            let schema = schemas.schema()
            guard let constraint = try? Constraint(jsonSchema: schema) else { continue }
            let walk = RandomWalk(constraint, vocabulary, tokens: 150, using: &schemas.generator)
            #expect(walk.fault == nil, "\(schema.text()) after \(String(decoding: walk.text, as: UTF8.self))")
            guard walk.isFinished else { continue }
            #expect(SchemaValidator(root: schema).isValid(try JSONValue(parsing: walk.text)), "\(schema.text())")
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `a mask permits exactly the tokens whose bytes the constraint permits`(seed: UInt64) throws {
        var schemas = RandomSchema(seed: 1000 + seed)
        let schema = schemas.schema()
        guard let constraint = try? Constraint(jsonSchema: schema) else { return }
        var masker = TokenMasker(constraint, smallVocabulary)
        var state = constraint.makeState()
        for _ in 0..<40 where !state.isComplete {
            let mask = masker.mask(for: state)
            for token in 0..<Int32(smallVocabulary.count) {
                let bytes = smallVocabulary.bytes(of: token)
                var next = state
                let isPermitted =
                    smallVocabulary.endTokens.contains(token)
                    ? state.isAccepting : !bytes.isEmpty && next.advance(bytes) == nil
                // A token that spells two new object keys may be masked wrongly, but never permitted wrongly.
                if bytes.count(where: { $0 == 0x22 }) > 2, isPermitted { continue }
                #expect(mask.contains(token) == isPermitted, "\(schema.text()): \(bytes)")
            }
            let choices = (0..<Int32(smallVocabulary.count)).filter {
                mask.contains($0) && !smallVocabulary.bytes(of: $0).isEmpty
            }
            guard let token = choices.randomElement(using: &schemas.generator) else { break }
            state.advance(smallVocabulary.bytes(of: token))
        }
    }

    @Test func `the validator of these tests rejects invalid values`() {
        let validator = SchemaValidator(root: [
            "type": "object", "required": ["a"], "properties": ["a": ["maximum": 3]],
        ])
        #expect(validator.isValid(["a": 3]))
        #expect(!validator.isValid(["a": 4]))
        #expect(!validator.isValid([:]))
    }
}
