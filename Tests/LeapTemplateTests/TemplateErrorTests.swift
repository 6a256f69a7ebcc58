import LeapTemplate
import Testing

@Suite struct TemplateErrorTests {
    private func message(_ source: String) -> String {
        do { return try Template(source).render(Conversation.variables()) } catch { return error.description }
    }

    @Test("An unknown filter is reported with its position and the closest name") func unknownFilter() {
        #expect(
            message("line one\n{{ messages | tojsn }}") == """
                chat template 2:15: unknown filter 'tojsn'. Did you mean 'tojson'?
                  {{ messages | tojsn }}
                                ^
                """)
    }

    @Test(
        "The first line of an error states what is wrong and where",
        arguments: [
            ("{{ x is nul }}", "chat template 1:9: unknown test 'nul'"),
            ("{{ x is definde }}", "chat template 1:9: unknown test 'definde'. Did you mean 'defined'?"),
            ("{% fro x in y %}", "chat template 1:4: unknown statement 'fro'. Did you mean 'for'?"),
            ("{% if x %}", "chat template 1:4: 'if' is not closed. Add '{% endif %}'"),
            ("{% if x %}{% endfor %}", "chat template 1:14: 'endfor' is not allowed here, because 'if' is still open"),
            ("{% endif %}", "chat template 1:4: 'endif' has no matching opening tag"),
            ("{{ 'x }}", "chat template 1:4: unterminated string"),
            ("{{ (1 }}", "chat template 1:7: unexpected '}', expected ')'"),
            ("{{ 1 2 }}", "chat template 1:6: expected '}}', found a number"),
            ("{{ }}", "chat template 1:4: expected an expression, found '}}'"),
            ("{# x", "chat template 1:1: unterminated comment. Close it with '#}'"),
            ("{% raw %}x", "chat template 1:1: unterminated raw block. Close it with '{% endraw %}'"),
            ("{% break %}", "chat template 1:4: 'break' and 'continue' are allowed only inside a loop"),
            ("{% set 1 = 2 %}", "chat template 1:8: expected a name to assign to, found a number"),
            ("é {{ x.y }}", "chat template 1:8: UndefinedError: 'x' is undefined"),
            ("{{ messages[0].role.name }}", "chat template 1:16: UndefinedError: list object has no element 0"),
            ("{{ tools.x.y }}", "chat template 1:12: UndefinedError: 'None' has no attribute 'x'"),
            ("{{ 1 + 'a' }}", "chat template 1:6: TypeError: unsupported operand type(s) for +: 'int' and 'str'"),
            ("{{ 'a' + 1 }}", "chat template 1:8: TypeError: can only concatenate str (not \"int\") to str"),
            ("{{ 1 / 0 }}", "chat template 1:6: ZeroDivisionError: division by zero"),
            ("{% for a in 1 %}{% endfor %}", "chat template 1:4: TypeError: 'int' object is not iterable"),
            (
                "{{ [].append(1) }}",
                "chat template 1:7: SecurityError: access to attribute 'append' of 'list' object is unsafe."
            ),
            (
                "{{ raise_exception('No system role') }}",
                "chat template 1:4: the template rejects this conversation: No system role"
            ),
            (
                "{% include 'x' %}",
                "chat template 1:4: TypeError: 'include' is not supported: "
                    + "a chat template cannot load other templates"
            ),
            ("{{ 'a'.upper(1) }}", "chat template 1:8: TypeError: upper() takes 1 arguments, but 2 were given"),
            (
                "{{ 'a'|replace('b') }}",
                "chat template 1:8: TypeError: replace() is missing the required argument 'new'"
            ),
            (
                "{{ 'a'|replace('b', 'c', n=1) }}",
                "chat template 1:8: TypeError: replace() got an unexpected keyword argument 'n'"
            ),
        ])
    func firstLine(_ source: String, _ expected: String) {
        #expect(message(source).split(separator: "\n").first.map(String.init) == expected)
    }

    @Test("A long line is excerpted around the error") func excerpt() {
        let source = String(repeating: "a", count: 500) + "{{ x|nope }}" + String(repeating: "b", count: 500)
        let lines = message(source).split(separator: "\n").map(String.init)
        #expect(lines[0] == "chat template 1:506: unknown filter 'nope'")
        #expect(lines[1].contains("{{ x|nope }}") && lines[1].count < 140)
        let caret = lines[2].count - 1
        #expect(lines[1].dropFirst(caret).hasPrefix("nope"))
    }

    @Test("A limit error states which limit was exceeded") func limit() {
        #expect(
            message("{{ 'x' * 10**12 }}").hasPrefix("chat template 1:8: the template exceeds a limit: it creates"))
    }
}
