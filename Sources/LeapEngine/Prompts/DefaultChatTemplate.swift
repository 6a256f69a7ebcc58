import LeapTokenizer

/// ChatML, for files without a template whose vocabulary has its tokens.
enum DefaultChatTemplate {
    /// The tokens that mark turns.
    static let tokens = ["<|im_start|>", "<|im_end|>"]

    /// The template; `nil` if the vocabulary lacks its tokens.
    static func source(for tokenizer: Tokenizer) -> String? {
        tokens.allSatisfy { tokenizer.token(for: $0) != nil } ? chatML : nil
    }

    private static let chatML = """
        {%- for message in messages -%}
        {{- '<|im_start|>' ~ message.role ~ '\\n' ~ message.content ~ '<|im_end|>\\n' -}}
        {%- endfor -%}
        {%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
        """
}
