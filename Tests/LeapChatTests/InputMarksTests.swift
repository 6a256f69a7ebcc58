import Foundation
import LeapChat
import LeapJSON
import Testing
import _LeapTestSupport

/// Prompts in which message text that spells control tokens is kept apart from the template's control tokens.
@Suite("Input marks")
struct InputMarksTests {
    private static let controls = ["<|im_start|>", "<|im_end|>", "<s>", "<think>", "</think>", "¤"]
    private static let reserved = ReservedTexts(controls)

    /// The two noncharacters that serve as marks.
    private static let marks = [0x90, 0x91].map { String(decoding: [0xEF, 0xB7, $0] as [UInt8], as: UTF8.self) }

    /// The result of rendering a template with a variable `c` that contains marks.
    private func prompt(_ source: String, _ content: String) throws -> RenderedPrompt {
        let template = try ChatTemplate(source: source)
        let marks = InputMarks(Self.reserved, for: template)
        return RenderedPrompt(
            marked: try template.render(messages: [], variables: ["c": marks.marked(.string(content))]))
    }

    private func plain(_ source: String, _ content: String) throws -> String {
        try ChatTemplate(source: source).render(messages: [], variables: ["c": .string(content)])
    }

    /// The offsets of the control tokens in a prompt that are not cut.
    private func controls(in prompt: RenderedPrompt) -> [Int] {
        let bytes = Array(prompt.text.utf8)
        return Self.controls.flatMap { control in
            let text = Array(control.utf8)
            return bytes.indices.filter { start in
                let end = start + text.count
                let isCut =
                    prompt.cuts.contains { $0 > start && $0 < end }
                    || (control.unicodeScalars.count == 1 && [start, end].allSatisfy(prompt.cuts.contains))
                return bytes[start...].starts(with: text) && !isCut
            }
        }.sorted()
    }

    @Test(
        "Text that spells a control token is cut inside it, and a template's own is not",
        arguments: [
            ("a<|im_end|>b", ["<s>a<", "|im_end|>b<s>"]),
            ("<|im_end|><|im_end|>", ["<s><", "|im_end|><", "|im_end|><s>"]),
            ("<|IM_End|>", ["<s><", "|IM_End|><s>"]),
            ("¤¤", ["<s>", "¤", "¤", "<s>"]),
            ("1 < 2 > |", ["<s>1 < 2 > |<s>"]), ("\\ufd", ["<s>\\ufd", "<s>"]), ("d0", ["<s>d0<s>"]),
            // Beginnings of control tokens at the end of the text, and ends of them at its beginning.
            ("a<|im_", ["<s>a<|im_", "<s>"]), ("end|>a", ["<s>", "end|>a<s>"]), (" > ", ["<s> ", "> <s>"]),
            ("|im_end|", ["<s>", "|im_end|<s>"]), ("<", ["<s><", "<s>"]),
        ])
    func cuts(content: String, spans: [String]) throws {
        #expect(try prompt("<s>{{ c }}<s>", content).spans == spans)
    }

    @Test("Text that the template names is not marked for being part of a control token")
    func words() throws {
        #expect(try prompt("<{{ c }}>", "s").cuts == [1])
        #expect(try prompt("<{{ c }}>{{ c == 's' }}", "s").text == "<s>True")
        #expect(try prompt("{{ c.im_end }}<{{ c }}>", "im_end").cuts.isEmpty)
        #expect(try prompt("{{ c == '<s>' }}{{ c }}", "<s>").cuts.count == 1)
    }

    @Test("Control tokens to spare are not cut, and others are")
    func spared() throws {
        let marks = InputMarks(Self.reserved, for: try ChatTemplate(source: ""))
        let text = "<think>a</think><|im_end|>"
        let prompt = RenderedPrompt(marked: marks.marked(text, sparing: ["<think>", "</think>"]))
        #expect(prompt.spans == ["<think>a</think><", "|im_end|>"])
        #expect(RenderedPrompt(marked: marks.marked(text)).cuts.count == 3)
    }

    @Test("A control token that begins with a spared one is cut")
    func sparedBeginning() throws {
        let marks = InputMarks(ReservedTexts(["<a>", "<a><b>"]), for: try ChatTemplate(source: ""))
        #expect(RenderedPrompt(marked: marks.marked("<a>", sparing: ["<a>"])).cuts == [3])
        #expect(RenderedPrompt(marked: marks.marked("<a>c<a><b>", sparing: ["<a>"])).cuts == [5])
    }

    @Test("Keys of objects are marked as well")
    func keys() throws {
        let template = try ChatTemplate(source: "{% for key in c %}<{{ key }}>{{ c[key].x }}{% endfor %}")
        let marks = InputMarks(Self.reserved, for: template)
        let value = marks.marked(["|im_end|": ["x": "<s>"], "name": ["x": 1]])
        let prompt = RenderedPrompt(marked: try template.render(messages: [], variables: ["c": value]))
        #expect(prompt.spans == ["<", "|im_end|><", "s><name>1"])
    }

    @Test("A trusted prompt has no cuts and keeps its noncharacters")
    func trusted() {
        let prompt = RenderedPrompt(trusting: "<s>" + Self.marks.joined())
        #expect(prompt.cuts.isEmpty && prompt.text.utf8.count == 9)
    }

    @Test("Unpaired marks do no harm")
    func torn() {
        #expect(RenderedPrompt(marked: Self.marks[1]).text.isEmpty)
        #expect(RenderedPrompt(marked: "a" + Self.marks[1] + "b").text == "ab")
        #expect(RenderedPrompt(marked: Self.marks[0] + "a" + Self.marks[0] + Self.marks[0]).cuts == [0, 1])
    }

    /// Operations that templates apply to texts.
    private static let templates = [
        "{{ c }}", "<|im_start|>{{ c }}<|im_end|>", "{{ c | tojson }}", "{{ c | tojson(ensure_ascii=true) }}",
        "{{ {c: [c]} | tojson(indent=2) }}", "{{ {c: [c]} | tojson(true) }}", "{{ [c] }}", "{{ {'k': c} | string }}",
        "{{ c | upper }}", "{{ c | lower }}", "{{ c.lower() }}", "{{ c | e }}", "{{ '%s|%s' | format(c, c) }}",
        "{{ c | trim }}", "{{ ' ' ~ c | trim ~ ' ' }}", "{{ c.strip() }}", "{{ c.rstrip('\\n') }}",
        "{{ c.split('</div>')[0] }}", "{{ c.split('a')[-1].lstrip('\\n') }}", "{{ [c, c] | join('a') }}",
        "{% macro m(x) %}({{ x }}){% endmacro %}{{ m(c) }}", "{% filter upper %}a{{ c }}{% endfilter %}",
        "{{ c | replace('a', 'b') }}", "{{ '</div>' in c }}{{ c.endswith('a') }}",
        "{%- set parts = c.split(' ') -%}{% for p in parts %}<p>{{ p }}</p>{% endfor %}",
    ]

    private static let pieces =
        controls + marks + [
            "<|im_", "end|>", "|im_end|", "im_end", "<", "|", ">", "s", "\\", "u", "\\ufdd0", "\\ufdd1", "ufdd0", "fdd",
            "0",
            " ", "\n", "a", "é", "<|IM_END|>", "<S>", "</div>", "\"", "'", "{{", "🦊",
        ]

    @Test("Marks do not change the rendered text, and marked text adds no control token", arguments: templates)
    func random(source: String) throws {
        var random = SeededRandomNumberGenerator(seed: 27)
        // The template's own control tokens are those in its result for a harmless text.
        let own = controls(in: try prompt(source, "xyz")).count
        for _ in 0..<300 {
            let count = Int.random(in: 0...8, using: &random)
            let content = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            let prompt = try prompt(source, content)
            let expected = try plain(source, content)
            #expect(prompt.text.utf8.elementsEqual(expected.utf8), "\(content.debugDescription)")
            #expect(controls(in: prompt).count == own, "\(content.debugDescription) \(prompt.spans)")
        }
    }

    private static let looks = [
        "{{ c | length }}", "{{ c | list | length }}", "{{ c[:2] }}|{{ c[2:] }}", "{{ c[::-1] }}", "{{ c[-1:] }}",
        "{{ c[:c | length] }}", "{{ c.find('d') }}", "{{ c | first }}{{ c | last }}", "{{ c == 'e' ~ 'nd' }}",
        "{{ c < 'f' }}{{ c > 'e' }}{{ ['f', c, 'e'] | sort }}", "{{ {'z': 1, c: 2, 'a': 3} | dictsort }}",
        "{{ {'z': 1, c: 2, 'a': 3} | tojson(sort_keys=true) }}", "{{ c.ljust(5, '.') }}", "{{ '%-5s.' | format(c) }}",
        "{{ c | reverse }}", "{{ c.isalpha() }}{{ c.isidentifier() }}{{ c.islower() }}{{ c.isascii() }}",
        "{{ (c ~ '\t.').expandtabs(4) }}",
        "{{ c | capitalize }}{{ c | title }}{{ c.title() }}", "{{ c | truncate(2, true, '', 0) }}",
    ]

    @Test("A template sees lengths, characters and order as without marks", arguments: looks)
    func unseen(source: String) throws {
        for content in ["end", "s", " im_end", "é|im_end|", "<", ">", "x<s>y", "¤a", "alpha", "ﷺ"] {
            let prompt = try prompt(source, content)
            #expect(prompt.text == (try plain(source, content)), "\(content)")
        }
    }

    @Test("A character that is used as a mark is, in a text, one like any other")
    func literal() throws {
        #expect(try prompt("{{ c | length }}", Self.marks[0] + "a" + Self.marks[1] + "<s>").text == "6")
    }

    @Test("Adjacent texts do not combine into a control token")
    func neighbours() throws {
        var random = SeededRandomNumberGenerator(seed: 28)
        for _ in 0..<500 {
            let text = (0..<5).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            let template = try ChatTemplate(source: "{{ a }}{{ b | trim }}{{ a | trim }}<{{ b }}>")
            let marks = InputMarks(Self.reserved, for: template)
            let cut = text.unicodeScalars.indices.randomElement(using: &random) ?? text.startIndex
            let variables: [String: JSONValue] = [
                "a": .string(String(text[..<cut])), "b": .string(String(text[cut...])),
            ]
            let prompt = RenderedPrompt(
                marked: try template.render(messages: [], variables: variables.mapValues(marks.marked)))
            #expect(prompt.text.utf8.elementsEqual(try template.render(messages: [], variables: variables).utf8))
            #expect(controls(in: prompt).isEmpty, "\(prompt.spans)")
        }
    }

    @Test(
        "Text that spells no control token is not marked",
        arguments: ["", "abc", "é\n"])
    func unchanged(text: String) throws {
        let marks = InputMarks(Self.reserved, for: try ChatTemplate(source: ""))
        #expect(marks.marked(text) == text)
    }
}
