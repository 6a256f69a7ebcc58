import LeapModels

/// Boundary and special values of various parts of the program.
enum KnownValues {
    static let integers: [UInt64] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 24, 31, 32, 33, 47, 48, 63, 64, 65, 95, 96, 97, 127, 128, 129,
        255, 256, 257, 300, 511, 512, 1000, 1023, 1024, 4095, 4096, 4097, 65_535, 65_536, 65_537, 1 << 20, 1 << 20 + 1,
        1 << 27, 1 << 27 + 1, 1 << 30, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 62, 1 << 63 - 1, 1 << 63,
        .max - 1, .max,
    ]

    static let floats: [Double] = [
        0, -0.0, 1, -1, 0.5, 2, -2, 8, 32, 100, 10_000, 1e-5, 1e-6, 1e-30, 1e30, 3e38, -3e38, 1e300, 1e-45, 1e-300,
        1.000_000_1, 0.999_999_94, .infinity, -.infinity, .nan, Double(Float.greatestFiniteMagnitude),
        -Double(Float.greatestFiniteMagnitude), Double(Float.leastNormalMagnitude), .greatestFiniteMagnitude,
    ]

    static let texts: [String] = [
        "", " ", "a", "ab", "llama", "gpt2", "lfm2", "mistral", "bert", "linear", "yarn", "none", "longrope", "default",
        "gpt-2", "gpt-neox", "llama-bpe", "qwen2", "qwen35", "deepseek-llm", "deepseek-coder", "falcon", "smollm",
        "starcoder", "dbrx", "gpt-4o", "tekken", "jina-v2-de", "phi-3", "modern-bert", "LFM2.5-VL-3B", "\u{0}", "é",
        "日本", "👩‍👩‍👧", "\u{FFFD}",
        "\u{301}", "\u{2581}", "\u{2581}\u{2581}", "Ġ", "ĠĠ", "Ċ", "<0x00>", "<0xFF>", "<0x-1>", "<0xZZ>", "<s>",
        "</s>",
        "<unk>", "<mask>", "[MASK]", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<think>", "</think>", "{", "}",
        "\"",
        "\\", "\n", "\r\n", "1", "-1", "1e999", "t", "he", "\u{2581}t", "<|tool_call_start|>", "<|tool_call_end|>",
        "<tool_call>", "[TOOL_CALLS]", String(repeating: "a", count: 300), String(repeating: " ", count: 300),
        String(repeating: "\u{2581}", count: 200), String(repeating: "a", count: 3000),
    ]

    /// Bytes that are not valid UTF-8.
    static let brokenTexts: [[UInt8]] = [
        [0xFF], [0xC2], [0xE2, 0x96], [0xF0, 0x9F, 0x91], [0x80], [0xED, 0xA0, 0x80], [0xC4], [0xC4, 0xA0, 0xFF],
        [0x20, 0xE2],
    ]

    /// The keys that a file of an architecture may have.
    static func keys(_ architecture: String) -> [String] {
        let keys = architecture == VisionEncoder.architecture ? visionKeys : hyperParameters
        return keys.map { "\(architecture).\($0)" } + otherKeys
    }

    private static let visionKeys =
        ["has_vision_encoder", "has_audio_encoder", "projector_type", "use_gelu", "use_silu"]
        + [
            "embedding_length", "feed_forward_length", "block_count", "attention.head_count", "patch_size",
            "image_size",
            "projection_dim", "projector.scale_factor", "projector_type", "attention.layer_norm_epsilon", "image_mean",
            "image_std",
        ].map { "vision.\($0)" }
        + [
            "embedding_length", "feed_forward_length", "block_count", "attention.head_count", "projection_dim",
            "num_mel_bins", "projector_type", "attention.layer_norm_epsilon",
        ].map { "audio.\($0)" }

    private static let otherKeys: [String] =
        [
            "depthformer_n_layer", "depthformer_n_embd", "general.architecture", "general.name", "general.alignment",
            "general.sampling.temp", "split.count",
            "split.no",
            "split.tensors.count", "tokenizer.ggml.model", "tokenizer.ggml.pre", "tokenizer.ggml.tokens",
            "tokenizer.ggml.token_type", "tokenizer.ggml.scores", "tokenizer.ggml.merges",
            "tokenizer.ggml.add_bos_token",
            "tokenizer.ggml.add_eos_token", "tokenizer.ggml.add_space_prefix", "tokenizer.chat_template",
            "tokenizer.chat_template.tool_use",
        ]
        + [
            "bos", "eos", "unknown", "padding", "eot", "eom", "fim_pre", "fim_suf", "fim_mid", "fim_pad", "fim_rep",
            "fim_sep",
        ].map { "tokenizer.ggml.\($0)_token_id" }

    private static let hyperParameters = [
        "context_length", "embedding_length", "block_count", "feed_forward_length", "attention.head_count",
        "attention.head_count_kv", "attention.key_length", "attention.value_length",
        "attention.layer_norm_rms_epsilon", "attention.sliding_window", "rope.dimension_count", "rope.freq_base",
        "rope.scaling.type", "rope.scaling.factor", "rope.scale_linear", "rope.scaling.original_context_length",
        "rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow", "rope.scaling.yarn_ext_factor",
        "rope.scaling.yarn_attn_factor", "rope.scaling.attn_factor", "shortconv.l_cache", "expert_count", "vocab_size",
        "attention.sliding_window_pattern", "attention.scale", "attention.temperature_scale", "attention.causal",
        "embedding_scale", "residual_scale", "logit_scale", "final_logit_softcapping", "rope.freq_base_swa",
        "rope.scaling.yarn_log_multiplier", "rope.scaling.finetuned",
    ]

    /// Fragments of chat templates; the first is a complete one.
    static let templates: [String] = [
        """
        {{- bos_token -}}{%- for m in messages -%}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' -}}
        {%- endfor -%}{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
        """,
        "{{ messages | tojson }}", "{{ messages[0]['content'][5:1:-2] }}",
        "{% for i in range(9) %}{{ loop.index }}{% endfor %}",
        "{{ 2 ** 70 // 7 % 3 - 9223372036854775807 }}", "{{ 1 / 0 }}", "{{ -9223372036854775808 // -1 }}",
        "{{ 'x' * 99 }}",
        "{{ '%5.3f|%-9s|%x' % (1e300, 'é', 255) }}", "{{ '{:>{}}'.format('a', 40) }}",
        "{% macro f(x) %}{{ f(x) }}{% endmacro %}",
        "{{ f(1) }}", "{% set ns = namespace(a=1) %}{% set ns.a = ns.a + 1 %}{{ ns.a }}", "{{ raise_exception('no') }}",
        "{{ strftime_now('%Y %j %% %Q') }}", "{{ [3,1,2]|sort|batch(2)|list }}", "{{ 1e308 * 10 | int }}",
        "{{ (0/0.1)|round(400) }}",
        "{{ 'abc'|truncate(2)|center(70)|wordwrap(3)|indent(5) }}", "{% if x is defined %}{% else %}",
        "{% raw %}{{{% endraw %}",
        "{# ", "{{ [1,2,3][::0] }}", "{{ range(5, -5, -2)|list|slice(3) }}", "{{ 'a'.split('') }}", "{{ 1 << 3 }}",
        "{{ '\\u12' }}",
        "{{ {'a': 1}.items()|list }}", "{{ messages|map(attribute='role')|join(',')|upper }}",
        "{{ (1,2)|sum(start=1e999) }}",
        "{{ '٣'|int + '１'|int(base=36) }}", "{{ 10|filesizeformat(true) }}", "{{ 5|pprint }}",
        "{{ cycler('a').next() }}",
        "<think>", "\u{0}", "[{\"name\": \"default\", \"template\": \"x\"}]",
    ]
}
