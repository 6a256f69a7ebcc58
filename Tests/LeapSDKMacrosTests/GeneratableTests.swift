import Foundation
import LeapConstraints
public import LeapSDKMacros
import Observation
import Testing

@Generatable("A fact about a city")
struct CityFact: Codable, Equatable {
    @Guide("Name of the city")
    let name: String
    @Guide("Inhabitants", .range(1...40_000_000))
    let population: Int
    let isCapital: Bool
    @Guide("The mayor, if known")
    let mayor: String?
}

/// Every kind of property, written in every way.
@Generatable
struct Everything: Codable {
    var string: String
    var int8: Int8, int16: Int16
    var int32, int64: Int32
    var uint: UInt
    var float: Float
    var double = 1.5
    var negative = -1
    var text = "x"
    var flag = false
    var cgFloat: CGFloat
    var decimal: Decimal
    var date: Date
    var url: URL?
    var uuid: Foundation.UUID
    var data: Data
    var matrix: [[Double]]
    var names: [String]
    var tags: Set<String>
    var counts: [String: Int]
    var nested: [String: [CityFact]]
    var maybe: Optional<Int>
    var forced: Int!
    var holes: [Int?]
    var observed: Int { didSet {} }
    private var secret: String
    static let shared = 1
    lazy var later = 3
    var computed: Int { 4 }
    var `default`: Bool
}

@Generatable("Colour of a wall")
enum Colour: String, Codable, CaseIterable {
    case red
    case lightBlue = "light-blue"
    case `default`, other
}

@Generatable("How sure an answer is")
enum Confidence: String, Codable {
    @Guide("Proven") case high
    case low
}

/// A recursive tree.
@Generatable("A tree")
struct Tree: Codable {
    let label: String
    let children: [Tree]
}

@Generatable
struct Person: Codable {
    let name: String
    let employer: Company?
    let former: [Company]
}

@Generatable
final class Company: Codable {
    let name: String
    let staff: [Person]
    let colour: Colour?

    init(name: String, staff: [Person], colour: Colour?) {
        (self.name, self.staff, self.colour) = (name, staff, colour)
    }
}

@Generatable("Renamed")
struct Renamed: Codable {
    let fullName: String
    let age: Int
    var ignored = 3

    private enum CodingKeys: String, CodingKey {
        case fullName = "full_name"
        case age
    }
}

@Generatable("Watched")
@Observable
final class Watched: Codable {
    var name: String
    var ages: [Int]?
    @ObservationIgnored var note: String?
    let id: Int

    private enum CodingKeys: String, CodingKey {
        case _name = "name"
        case _ages = "ages"
        case note, id
    }
}

@Generatable("Guided")
struct Guided: Codable {
    @Guide(.count(2...3), .element(.range(0...9))) let digits: [Int]
    @Guide(description: "Postal code", .pattern("^[0-9]{5}$")) let code: String
    @Guide("One of three", .anyOf(["a", "b", "c"])) let letter: String
    @Guide("Even", .minimum(0), .maximum(100), .multipleOf(2)) let even: Int
    @Guide("Share", .range(0.0...1.0)) let share: Double
    @Guide("Address", .format(.email), .maximumLength(40)) let email: String
    @Guide("Best city") let city: CityFact
    @Guide("Paint", .constant("red")) let colour: Colour
    @Guide("Small", .range(0..<10)) let small: UInt8
}

@Generatable("Quotes \" and \\ and\nnewlines")
struct Texts: Codable {
    @Guide(#"raw "text" with \n"#) let raw: String
    @Guide(
        """
        two lines,
          the second "indented" \t tab
        """) let lines: String
    @Guide("joined" + " by " + "plus") let joined: String
    @Guide("emoji 👩‍👩‍👧 and \u{7} bell") let emoji: String
}

@Generatable("A page of results")
struct Page<Item: GeneratableType>: Codable {
    let items: [Item]
    let next: Int?
}

/// A public type with a nested public type.
public enum Outer {
    /// A type with a public member and an internal one.
    @Generatable
    public struct Inner: Codable, Sendable {
        /// A number.
        public let value: Int
        let hidden: [String]
    }
}

/// Nested types that refer to themselves and each other by their unqualified names.
enum Library {
    @Generatable
    struct Book: Codable {
        let title: String
        let genre: Self.Genre
        let sequels: [Self]
        let author: Author?

        @Generatable
        enum Genre: String, Codable {
            case novel, essay
            @available(*, deprecated) case pamphlet
        }
    }

    @Generatable
    final class Author: Codable {
        let name: String
        let teacher: Author?
        let debut: Book?
    }

    @Generatable
    struct Shelf<Item: Codable & Sendable>: Codable, Sendable {
        let items: [Item]
        let below: [Self]
    }

    /// Compiles only if the partial value of a shelf is `Sendable`.
    @Generatable
    public struct Room: Codable, Sendable {
        let shelf: Shelf<Shelf<Int>>
    }
}

/// A type that is isolated to an actor, although its values can be created anywhere.
@MainActor @Generatable
struct Shown: Codable {
    var count: Int
    var colour: Colour
}

@Suite struct GeneratableTests {
    @Test func `a struct becomes an object with its properties in order`() {
        #expect(
            CityFact.jsonSchema() == """
                {"type":"object","title":"CityFact","description":"A fact about a city","properties":{"name":{"type":\
                "string","description":"Name of the city"},"population":{"type":"integer","description":"Inhabitants",\
                "minimum":1,"maximum":40000000},"isCapital":{"type":"boolean"},"mayor":{"type":"string","description":\
                "The mayor, if known"}},"required":["name","population","isCapital"],"additionalProperties":false}
                """)
        #expect(CityFact.typeDescription == "A fact about a city")
        #expect(JSONSchemaGenerator.getJSONSchema(for: CityFact.self) == CityFact.jsonSchema())
    }

    @Test func `the schema has every kind of decoded property and nothing else`() throws {
        let schema = try Schema(Everything.self)
        #expect(
            schema.properties == [
                "string", "int8", "int16", "int32", "int64", "uint", "float", "double", "negative", "text",
                "flag",
                "cgFloat", "decimal", "date", "url", "uuid", "data", "matrix", "names", "tags", "counts",
                "nested",
                "maybe", "forced", "holes", "observed", "secret", "default",
            ])
        #expect(Set(schema.properties).subtracting(schema.required) == ["url", "maybe", "forced"])
        #expect(schema["double"] == #"{"type":"number"}"#)
        #expect(schema["int64"] == #"{"type":"integer","minimum":-2147483648,"maximum":2147483647}"#)
        #expect(
            schema["matrix"] == #"{"type":"array","items":{"type":"array","items":{"type":"number"}}}"#)
        #expect(schema["counts"] == #"{"type":"object","additionalProperties":{"type":"integer"}}"#)
        #expect(schema["forced"] == #"{"type":"integer"}"#)
    }

    @Test func `an enum becomes an enumeration of its raw values`() {
        #expect(
            Colour.jsonSchema() == """
                {"type":"string","title":"Colour","description":"Colour of a wall","enum":["red","light-blue","default",\
                "other"]}
                """)
    }

    @Test func `cases with descriptions become alternatives`() {
        #expect(
            Confidence.jsonSchema() == """
                {"type":"string","title":"Confidence","description":"How sure an answer is","oneOf":[{"const":"high",\
                "description":"Proven"},{"const":"low"}]}
                """)
    }

    @Test func `a type that contains itself refers to the root`() {
        #expect(
            Tree.jsonSchema() == """
                {"type":"object","title":"Tree","description":"A tree","properties":{"label":{"type":"string"},"children":\
                {"type":"array","items":{"$ref":"#"}}},"required":["label","children"],"additionalProperties":false}
                """)
    }

    @Test func `types that contain each other become definitions`() throws {
        let person = try Schema(Person.self)
        #expect(person["employer"] == ##"{"$ref":"#/$defs/Company"}"##)
        #expect(person["former"] == ##"{"type":"array","items":{"$ref":"#/$defs/Company"}}"##)
        #expect(person.definitions == ["Company"])
        let company = try Schema(Company.self)
        #expect(company["staff"]?.contains(##""employer":{"$ref":"#"}"##) == true)
        #expect(company.definitions.isEmpty)
    }

    @Test func `coding keys name the properties and may omit some`() throws {
        let schema = try Schema(Renamed.self)
        #expect(schema.properties == ["full_name", "age"])
        #expect(schema.required == ["full_name", "age"])
    }

    @Test(
        arguments: [
            (
                "digits",
                #"{"type":"array","items":{"type":"integer","minimum":0,"maximum":9},"minItems":2,"maxItems":3}"#
            ),
            ("code", #"{"type":"string","description":"Postal code","pattern":"^[0-9]{5}$"}"#),
            ("letter", #"{"type":"string","description":"One of three","enum":["a","b","c"]}"#),
            (
                "even", #"{"type":"integer","description":"Even","minimum":0,"maximum":100,"multipleOf":2}"#
            ),
            ("share", #"{"type":"number","description":"Share","minimum":0.0,"maximum":1.0}"#),
            ("email", #"{"type":"string","description":"Address","format":"email","maxLength":40}"#),
            (
                "small",
                #"{"type":"integer","description":"Small","minimum":0,"maximum":255,"exclusiveMaximum":10}"#
            ),
            (
                "colour",
                """
                {"description":"Paint","allOf":[{"type":"string","title":"Colour","description":"Colour of a wall",\
                "enum":["red","light-blue","default","other"]}],"const":"red"}
                """
            ),
        ])
    func `guides become schema keywords`(property: String, expected: String) throws {
        #expect(try Schema(Guided.self)[property] == expected)
    }

    @Test func `a property's description does not replace its type's own`() throws {
        let city = try #require(try Schema(Guided.self)["city"])
        #expect(city == #"{"description":"Best city","allOf":[\#(CityFact.jsonSchema())]}"#)
    }

    @Test func `string literals of all forms are evaluated correctly`() throws {
        let schema = try Schema(Texts.self)
        #expect(Texts.typeDescription == "Quotes \" and \\ and\nnewlines")
        #expect(schema.description(of: "raw") == #"raw "text" with \n"#)
        #expect(schema.description(of: "lines") == "two lines,\n  the second \"indented\" \t tab")
        #expect(schema.description(of: "joined") == "joined by plus")
        #expect(schema.description(of: "emoji") == "emoji 👩‍👩‍👧 and \u{7} bell")
    }

    @Test func `a generic type's schema contains the schemas of its arguments`() throws {
        #expect(
            try Schema(Page<CityFact>.self)["items"]
                == #"{"type":"array","items":\#(CityFact.jsonSchema())}"#)
        #expect(try Schema(Page<Page<Colour>>.self)["items"]?.contains("light-blue") == true)
    }

    @Test func `a partial value of a generic type is Sendable if those of its arguments are`() throws {
        func isSendable<Value: Sendable>(_ type: Value.Type) -> Bool { true }
        #expect(isSendable(Library.Shelf<Int>.PartiallyGenerated.self))
        #expect(isSendable(Library.Room.PartiallyGenerated.self))
    }

    @Test func `nested types can refer to each other`() throws {
        let book = try Schema(Library.Book.self)
        #expect(book["genre"]?.contains(#"["novel","essay","pamphlet"]"#) == true)
        #expect(book["sequels"] == ##"{"type":"array","items":{"$ref":"#"}}"##)
        #expect(book.required == ["title", "genre", "sequels"])
        #expect(try Schema(Library.Author.self)["teacher"] == ##"{"$ref":"#"}"##)
        #expect(try Schema(Library.Shelf<Int>.self)["items"] == #"{"type":"array","items":{"type":"integer"}}"#)
    }

    @Test func `every schema can be enforced`() throws {
        let types: [any GeneratableValue.Type] = [
            CityFact.self, Everything.self, Colour.self, Confidence.self, Tree.self, Person.self,
            Company.self,
            Renamed.self, Guided.self, Texts.self, Page<Person>.self, Outer.Inner.self, [Tree].self,
            Library.Book.self, Library.Author.self, Library.Shelf<Tree>.self, Shown.self,
        ]
        for type in types {
            let constraint = try Constraint(jsonSchema: JSONSchemaGenerator.getJSONSchema(for: type))
            #expect(constraint.unknownKeywords.isEmpty)
        }
    }
}
