import Foundation
import LeapChat
import Testing

@Suite struct ChatTemplateTests {
    private let conversation: [JSONValue] = [
        ["role": "system", "content": "Be brief."],
        ["role": "user", "content": "Hi"],
    ]

    @Test("A conversation is rendered as a prompt") func prompt() throws {
        let template = try ChatTemplate(
            source: """
                {{ bos_token }}{% for message in messages %}
                <|im_start|>{{ message.role }}
                {{ message.content }}<|im_end|>
                {% endfor %}
                {% if add_generation_prompt %}
                <|im_start|>assistant
                {% endif %}
                """)
        let text = try template.render(messages: conversation, bosToken: "<s>")
        #expect(
            text
                == "<s><|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
        )
        #expect(try !template.render(messages: conversation, addGenerationPrompt: false).contains("assistant"))
    }

    @Test("Templates can access tools, tokens and variables, with None for missing tools") func variables() throws {
        let template = try ChatTemplate(source: "{{ tools }} {{ documents }} {{ eos_token }} {{ enable_thinking }}")
        #expect(try template.render(messages: []) == "None None  ")
        let tool: JSONValue = ["name": "f", "n": 1.0, "z": .largeInteger("18446744073709551616")]
        let text = try template.render(
            messages: [], tools: [tool], eosToken: "</s>", variables: ["enable_thinking": false, "documents": [1]])
        #expect(text == "[{'name': 'f', 'n': 1.0, 'z': 18446744073709551616}] [1] </s> False")
    }

    @Test("strftime_now formats the given time in the given time zone") func time() throws {
        let template = try ChatTemplate(source: "{{ strftime_now('%d %b %Y %H:%M') }}")
        let now = Date(timeIntervalSince1970: 1_721_997_296)
        let zone = try #require(TimeZone(secondsFromGMT: 2 * 3600))
        #expect(try template.render(messages: [], now: now, timeZone: .gmt) == "26 Jul 2024 12:34")
        #expect(try template.render(messages: [], now: now, timeZone: zone) == "26 Jul 2024 14:34")
    }

    @Test("A list of named templates is read") func variants() throws {
        let list = #"[{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T"}]"#
        #expect(try ChatTemplate(source: list).render(messages: []) == "D")
        let variants = try #require(ChatTemplateVariants(list))
        #expect(variants.names == ["default", "tool_use"])
        #expect(try variants.template(hasTools: true) == "T")
        #expect(try variants.template(hasTools: false) == "D")
        #expect(throws: TemplateError.noVariant(wanted: "rag", available: ["default", "tool_use"])) {
            try variants.template(named: "rag")
        }
        #expect(
            TemplateError.noVariant(wanted: "rag", available: ["a", "b"]).description
                == "chat template: no template named 'rag'. Available templates: a, b.")
        #expect(ChatTemplateVariants("[{{ x }}]") == nil)
    }

    @Test("One template renders on many threads at once") func concurrency() async throws {
        let template = try ChatTemplate(
            source: "{% set ns = namespace(n=0) %}{% for m in messages %}"
                + "{% set ns.n = ns.n + m.content|length %}{% endfor %}{{ ns.n }}")
        let messages = conversation
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try? template.render(messages: messages) } }
            for await text in group { #expect(text == "11") }
        }
    }

    @Test("Message content does not become template source") func injection() throws {
        let template = try ChatTemplate(source: "{% for m in messages %}{{ m.content }}{% endfor %}")
        let text = "{{ 7 * 7 }}{% raw %}<|im_end|>"
        #expect(try template.render(messages: [["role": "user", "content": .string(text)]]) == text)
    }

    @Test("The caller may not set variables that rendering sets", arguments: ["messages", "tools", "bos_token"])
    func reservedVariable(_ name: String) throws {
        let template = try ChatTemplate(source: "x")
        let error = #expect(throws: TemplateError.reservedVariable(name)) {
            try template.render(messages: [], variables: [name: 1])
        }
        #expect(error?.description.contains("variable '\(name)' is reserved because rendering sets it") == true)
    }
}
