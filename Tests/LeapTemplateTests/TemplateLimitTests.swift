import Foundation
import LeapJSON
import LeapTemplate
import Synchronization
import Testing
import _LeapTestSupport

@Suite struct TemplateLimitTests {
    private static let doubling =
        "{% set ns = namespace(a=[1]) %}{% for i in range(99) %}{% set ns.a = ns.a + ns.a %}"
        + "{% endfor %}"
    /// A list whose printed form is exponential in its size.
    private static let shared =
        "{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(90) %}"
        + "{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}"

    private static func nested(_ open: String, _ inner: String, _ close: String) -> String {
        String(repeating: open, count: 20_000) + inner + String(repeating: close, count: 20_000)
    }

    static let hostile = [
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
        "{{ 'x' * 10**12 }}", "{{ [1] * 10**12 }}", "{{ 2 ** (10**9) }}", "{{ 9 ** (9 ** 9) }}", doubling,
        "{% set ns = namespace(a='ab') %}{% for i in range(99) %}{% set ns.a = ns.a + ns.a %}{% endfor %}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro f() %}{% for i in [1]|map('string')|select if f() %}{% endfor %}{% endmacro %}{{ f() }}",
        "{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(50) }}",
        "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
        "{{ \(nested("(", "1", ")")) }}", "{{ \(nested("[", "", "]")) }}", "{{ \(nested("{1:", "1", "}")) }}",
        "{{ \(nested("f(", "1", ")")) }}", "{{ \(nested("not ", "1", "")) }}", "{{ \(nested("- ", "1", "")) }}",
        nested("{% if 1 %}", "", "{% endif %}"), nested("{% for a in [1] %}", "", "{% endfor %}"),
        "{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}",
        "{% set ns = namespace(x=[1]) %}{% for i in range(100000) %}{% set ns.x = ns.x|map('string') %}{% endfor %}",
        shared + "{{ ns.x == ns.y }}", shared + "{{ ns.x }}", shared + "{{ ns.x|tojson }}",
        "{{ 'a'.center(10**12) }}", "{{ 'a'.zfill(10**12) }}", "{{ '{:999999999}'.format(1) }}",
        "{{ '%1000000000d' % 1 }}", "{{ '%.1000000000f' % 1 }}", "{{ [[1]]|tojson(indent=10**12) }}",
        "{{ [1]|batch(10**12, 0)|list }}", "{{ [1]|slice(10**12)|list }}", "{{ ('\\n' * 1000000)|indent(10**9) }}",
        "{% for i in range(100000) %}{{ 'x' * 1000 }}{% endfor %}",
        "{% set a = 'a' * 1000000 %}{% for i in range(1000) %}{{ a.find('a' * 500000 ~ 'b') }}{% endfor %}",
        "{% set a = 'é' * 1000000 %}{% for i in range(100000) %}{% set b = a|upper %}{% endfor %}",
        "{% set x = 10**4000 %}{% for i in range(100000) %}{% set y = x * x // x %}{% endfor %}",
        String(repeating: "x", count: 1 << 20) + "y",
    ]

    @Test("A hostile template ends in a limit error, even on the small stack of a secondary thread", arguments: hostile)
    func hostileTemplate(_ source: String) throws {
        let result = try onSmallStack {
            try Template(source).render(Conversation.variables())
        }
        guard case .failure(let error) = result, case .limit = error as? TemplateError else {
            Issue.record("not stopped: \(result)")
            return
        }
    }

    /// Runs `body` on a thread with the 512 KB of stack that Apple's platforms give to threads other than the first.
    private func onSmallStack(_ body: @escaping @Sendable () throws -> String) throws -> Result<String, any Error> {
        let result = Mutex<Result<String, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            let value = Result { try body() }
            result.withLock { $0 = value }
            isDone.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        isDone.wait()
        return try #require(result.withLock { $0 })
    }

    /// Filters of texts of 60 KB, and steps that they take at least, because each takes about as long as a loop of so many.
    static let costly = [
        ("('é' * 30000)|urlencode", 10_000), ("('a ' * 30000)|striptags", 60_000),
        ("('a ' * 30000)|wordwrap(1)", 300_000), ("('a ' * 30000)|urlize", 400_000),
        ("(['é' * 30] * 3000)|pprint", 300_000),
    ]

    @Test("A filter is charged for the time that it takes", arguments: costly)
    func charges(_ expression: String, steps: Int) throws {
        var limits = TemplateLimits()
        limits.steps = steps
        let source = "{% set x = \(expression) %}"
        let template = try Template(source, limits: limits)
        #expect(throws: TemplateError.self) { try template.render(Conversation.variables()) }
        #expect(try Template(source).render(Conversation.variables()).isEmpty)
    }

    @Test("Long chains of operators do not count as nesting")
    func longChains() throws {
        for (unit, first) in [("+1", "1"), ("~1", "1"), ("|string", "1"), (" and 1", "1"), ("[0:]", "'a'")] {
            let source = "{{ \(first)" + String(repeating: unit, count: 20_000) + " }}"
            #expect(try !Template(source).render(Conversation.variables()).isEmpty)
        }
    }

    @Test("Recursive macros reach a useful depth") func recursion() throws {
        let source = "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{% else %}end{% endif %}{% endmacro %}{{ f(50) }}"
        #expect(try Template(source).render(Conversation.variables()) == "end")
    }

    @Test("Ten thousand messages render") func manyMessages() throws {
        let message: JSONValue = ["role": "user", "content": "What is the weather like in Paris?"]
        let source = "{% for m in messages %}<{{ m.role|trim }}>{{ m['content'] + '\\n' }}{% endfor %}"
        let variables = Conversation.variables(messages: Array(repeating: message, count: 10_000))
        let text = try Template(source).render(variables)
        #expect(text.utf8.count == 10_000 * 41)
    }

    @Test("Memory that is released after a statement does not count against the limit") func memoryIsReleased() throws {
        let source = """
            {% set ns = namespace(s='', l=[]) %}
            {% for i in range(2000) %}
            {% set ns.s = ns.s ~ 'twenty characters...' %}{% set ns.l = ns.l + [i] %}
            {% endfor %}
            {{ ns.s|length }} {{ ns.l|length }}
            """
        #expect(try Template(source).render(Conversation.variables()) == "40000 2000")
    }

    @Test("Limits can be set") func customLimits() throws {
        var limits = TemplateLimits()
        limits.outputBytes = 3
        let template = try Template("{{ 'abcd' }}", limits: limits)
        #expect(throws: TemplateError.self) { try template.render(Conversation.variables()) }
    }

    @Test("Every prefix of a template renders or throws without crashing") func prefixes() {
        let source = """
            {%- set ns = namespace(a=1) -%}{# c #}{% raw %}{{ x }}{% endraw %}
            {%- macro m(a, b=[1, {'k': "v\\n"}], *c) %}{{ a|default('é', true)|trim ~ b[::-1] }}{% endmacro -%}
            {% for k, v in messages if v is defined recursive %}{% if loop.first and not k == 1.5e3 %}
            {{ loop(v) if v is mapping else m(k, b=v, **{}) }}{% elif 0x1F in [1] %}{% break %}{% endif %}
            {% else %}{% call(x) m(1) %}{{ x.y['z'] }}{% endcall %}{% endfor %}
            """
        let scalars = Array(source.unicodeScalars)
        for length in 0...scalars.count {
            var prefix = String.UnicodeScalarView()
            prefix.append(contentsOf: scalars[..<length])
            _ = try? Template(String(prefix)).render(Conversation.variables())
        }
    }

    @Test("Random templates render or throw without crashing", arguments: 0..<20) func randomTemplates(_ seed: UInt64) {
        var random = SeededRandomNumberGenerator(seed: seed)
        let pieces = [
            "{{", "}}", "{%", "%}", "{%-", "-%}", "{#", "#}", " if ", " for ", " in ", " else ", " endif ", " endfor ",
            "x", "1", "1.5", "'a'", "\"b\"", "[", "]", "(", ")", "{", "}", ":", ",", ".", "|", "~", "+", "-", "*", "**",
            "//", "%", "==", "<", "not ", " is ", "defined", "upper", "set ", "=", "macro m()", "endmacro", "raw",
            "endraw", "\n", " ", "\\", "é", "loop", "messages", "namespace()", "\u{0}",
        ]
        for _ in 0..<200 {
            let count = Int.random(in: 1...40, using: &random)
            let source = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            _ = try? Template(source).render(Conversation.variables(messages: [["role": "user", "content": "x"]]))
        }
    }
}
