import ArgumentParser

/// A flag of llama.cpp's tools that has no effect here, or is not supported.
package struct ForeignFlag: Sendable {
    /// What the flag does here.
    package enum Effect: Sendable, Hashable {
        /// The flag requests what is always the case here.
        case implied
        /// It has no effect, for a reason.
        case none(String)
        /// It would change the answer and is not supported, for a reason.
        case refused(String)
    }

    /// All its spellings, the most common first.
    package let names: [String]
    /// Whether a value follows it.
    package let takesValue: Bool
    /// What the flag does here.
    package let effect: Effect

    /// Those of all commands but `serve`.
    package static let all = implied + withoutEffect + refused

    /// Those of `serve`, which defines some of the others itself.
    package static let allOfServer =
        ofServer
        + all.filter { flag in
            !(ofServer.flatMap(\.names) + ["-np", "--parallel"]).contains { flag.names.contains($0) }
        }

    /// The flag with a name.
    package static func named(_ name: some StringProtocol) -> ForeignFlag? {
        (isServer ? serverFlagByName : flagByName)[String(name)]
    }

    private static var isServer: Bool { arguments.dropFirst().first == "serve" }

    private static let flagByName = byName(all)
    private static let serverFlagByName = byName(allOfServer)

    private static func byName(_ flags: [ForeignFlag]) -> [String: ForeignFlag] {
        Dictionary(flags.flatMap { flag in flag.names.map { ($0, flag) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The command line, including the tool's name.
    @TaskLocal package static var arguments = CommandLine.arguments

    /// The names of the flags with values, or of those without, for the parser. Only flags on the command line are
    /// included, because registering all of them takes a noticeable fraction of a second in a debug build.
    static func specification(takingValue: Bool) -> NameSpecification {
        let flags = (isServer ? allOfServer : all).filter { $0.takesValue == takingValue }
        let typed = Set(arguments.dropFirst().map { $0.prefix { $0 != "=" } })
        let names = flags.filter { flag in flag.names.contains { typed.contains($0[...]) } }.flatMap(\.names)
        // The parser requires at least one name.
        return NameSpecification((names.isEmpty ? flags.first?.names ?? [] : names).map(\.nameElement))
    }

    private static func group(
        _ effect: Effect, options: [[String]] = [], switches: [[String]] = []
    ) -> [ForeignFlag] {
        options.map { ForeignFlag(names: $0, takesValue: true, effect: effect) }
            + switches.map { ForeignFlag(names: $0, takesValue: false, effect: effect) }
    }
}

extension String {
    /// The parser's representation of a name with its dashes.
    fileprivate var nameElement: NameSpecification.Element {
        if hasPrefix("--") { return .customLong(String(dropFirst(2))) }
        let name = dropFirst()
        return name.count == 1 ? .customShort(name[name.startIndex]) : .customLong(String(name), withSingleDash: true)
    }
}

// MARK: - The table
// Source of the names: llama.cpp, common/arg.cpp, for its tools `llama-cli`, `llama-completion` and `llama-server`.

extension ForeignFlag {
    private static let implied = group(
        .implied,
        switches: [
            ["--mmap"], ["--jinja"], ["--no-warmup"], ["--no-display-prompt"], ["--no-perf"], ["--no-show-timings"],
            ["--log-disable"], ["--no-escape"], ["--no-log-prefix"], ["--no-log-timestamps"],
        ])

    private static let withoutEffect =
        group(
            .none("models run on the CPU"),
            options: [
                ["-ngl", "--gpu-layers", "--n-gpu-layers"], ["-sm", "--split-mode"], ["-ts", "--tensor-split"],
                ["-mg", "--main-gpu"], ["-dev", "--device"], ["-ot", "--override-tensor"], ["-ncmoe", "--n-cpu-moe"],
                ["-ncffn", "--n-cpu-ffn"], ["-fit", "--fit"], ["-fitt", "--fit-target"], ["-fitc", "--fit-ctx"],
                ["--rpc"],
            ],
            switches: [
                ["-cmoe", "--cpu-moe"], ["-kvo", "--kv-offload"], ["-nkvo", "--no-kv-offload"], ["--op-offload"],
                ["--no-op-offload"], ["--no-host"], ["-bs", "--backend-sampling"], ["--mmproj-offload"],
                ["--no-mmproj-offload"],
            ])
        + group(
            .none("weights are memory-mapped, or read into memory with --no-mmap"),
            options: [["-lm", "--load-mode"], ["-lzm", "--lazy-mode"]],
            switches: [
                ["--mlock"], ["-dio", "--direct-io"], ["-ndio", "--no-direct-io"], ["--repack"],
                ["-nr", "--no-repack"],
            ])
        + group(
            .none("the operating system schedules the threads"),
            options: [
                ["-C", "--cpu-mask"], ["-Cr", "--cpu-range"], ["--cpu-strict"], ["--prio"], ["--poll"],
                ["-Cb", "--cpu-mask-batch"], ["-Crb", "--cpu-range-batch"], ["--cpu-strict-batch"], ["--prio-batch"],
                ["--poll-batch"], ["--numa"],
            ])
        + group(
            .none("batch and cache sizes are chosen automatically and do not affect the answer"),
            options: [
                ["-b", "--batch-size"], ["-ub", "--ubatch-size"], ["-np", "--parallel"], ["-ns", "--sequences"],
                ["-dt", "--defrag-thold"], ["-cram", "--cache-ram"],
                ["-ctxcp", "--ctx-checkpoints", "--swa-checkpoints"],
            ],
            switches: [
                ["--swa-full"], ["-kvu", "--kv-unified"], ["-no-kvu", "--no-kv-unified"], ["-cb", "--cont-batching"],
                ["-nocb", "--no-cont-batching"],
            ])
        + group(
            .none("prompts are cached by default; --cache-dir keeps the cache for later runs"),
            options: [["--prompt-cache"]], switches: [["--prompt-cache-all"], ["--prompt-cache-ro"]])
        + group(
            .none(
                "speculative decoding is set up automatically and never changes the answer; -md selects a draft model"
            ),
            options: [
                ["-hfd", "-hfrd", "--hf-repo-draft", "--spec-draft-hf"],
                ["-ngld", "--gpu-layers-draft", "--n-gpu-layers-draft", "--spec-draft-ngl"],
                ["-devd", "--device-draft", "--spec-draft-device"],
                ["--draft", "--draft-n", "--draft-max", "--spec-draft-n-max"],
                ["--draft-min", "--draft-n-min", "--spec-draft-n-min"], ["--draft-p-min", "--spec-draft-p-min"],
                ["--draft-p-split", "--spec-draft-p-split"], ["-td", "--threads-draft", "--spec-draft-threads"],
                ["-tbd", "--threads-batch-draft", "--spec-draft-threads-batch"],
                ["-ctkd", "--cache-type-k-draft", "--spec-draft-type-k"],
                ["-ctvd", "--cache-type-v-draft", "--spec-draft-type-v"], ["--spec-type"],
            ])
        + group(
            .none("there is no log; -v prints statistics"),
            options: [
                ["-lv", "--verbosity", "--log-verbosity"], ["--log-file"], ["--log-colors"],
                ["-ptc", "--print-token-count"],
            ],
            switches: [["--perf"], ["--show-timings"], ["--log-prefix"], ["--log-timestamps"]])
        + group(
            .none("'leap render' and 'leap tokenize' show prompts"),
            switches: [["--verbose-prompt"], ["--display-prompt"]])
        + group(.none("set TERM=dumb to turn off line editing"), switches: [["--simple-io"]])
        + group(.none("the line editor sends pasted lines as one message"), switches: [["-mli", "--multiline-input"]])
        + group(.none("no warm-up is needed"), switches: [["--warmup"]])
        + group(.none("files are always checked when they are opened"), switches: [["--check-tensors"]])
        + group(.none("chat templates are always rendered as Jinja"), switches: [["--no-jinja"]])

    private static let refused =
        group(
            .refused("RoPE parameters are taken from the model file"),
            options: [
                ["--rope-scaling"], ["--rope-scale"], ["--rope-freq-base"], ["--rope-freq-scale"], ["--yarn-orig-ctx"],
                ["--yarn-ext-factor"], ["--yarn-attn-factor"], ["--yarn-beta-slow"], ["--yarn-beta-fast"],
                ["-gan", "--grp-attn-n"], ["-gaw", "--grp-attn-w"],
            ])
        + group(
            .refused("metadata is taken from the model file; 'leap set' writes a file with changed metadata"),
            options: [["--override-kv"]])
        + group(
            .refused("control vectors are not implemented yet"),
            options: [["--control-vector"], ["--control-vector-scaled"], ["--control-vector-layer-range"]])
        + group(
            .refused("give the projector file with --mmproj"), options: [["-mmu", "--mmproj-url"]])
        + group(.refused("video input is not implemented"), options: [["--video"]])
        + group(
            .refused("--context-policy sets what happens when the context is full"),
            options: [["--keep"]], switches: [["--context-shift"]])
        + group(
            .refused("this sampler is not implemented"),
            options: [["--dynatemp-range"], ["--dynatemp-exp"], ["--adaptive-target"], ["--adaptive-decay"]])
        + group(.refused("ban the end-of-sequence token with --logit-bias ID-inf"), switches: [["--ignore-eos"]])
        + group(
            .refused("the chat template defines how turns begin and end; --raw continues a text without a template"),
            options: [["--in-prefix"], ["--in-suffix"]], switches: [["--in-prefix-bos"]])
        + group(
            .refused("special tokens are not part of an answer; 'leap detokenize' prints them"),
            switches: [["-sp", "--special"]])
        + group(
            .refused("when the budget is used up, only the closing reasoning tag is inserted"),
            options: [["--reasoning-budget-message"]])
        + group(
            .refused("give a file, a model name, a manifest URL, or a repository with -hf"),
            options: [["-mu", "--model-url"], ["-dr", "--docker-repo"]])
        + group(.refused("prompts must be text; -f reads one from a file"), options: [["-bf", "--binary-file"]])
        + group(.refused("'leap list' lists the models on this machine"), switches: [["-cl", "--cache-list"]])
        + group(
            .refused("the CPU is the only device; 'leap --version' lists its kernels"),
            switches: [["--list-devices"]])

    /// What has another meaning for `leap serve`, or exists only there.
    package static let ofServer =
        group(
            .implied,
            switches: [["--metrics"], ["--slots"], ["--ui", "--webui"], ["--cache-prompt"], ["--prefill-assistant"]])
        + group(.none("slots show nothing of prompts or answers"), switches: [["--no-slots"]])
        + group(
            .none("the model decides which requests it can answer, and how"),
            options: [["--pooling"]], switches: [["--embedding", "--embeddings"], ["--rerank", "--reranking"]])
        + group(
            .none("clients may be slow, and share one thread"), options: [["-to", "--timeout"], ["--threads-http"]])
        + group(
            .none("all requests share the prompt cache"),
            options: [["--cache-reuse"], ["-sps", "--slot-prompt-similarity"]])
        + group(.none("--max-memory limits how many models are loaded"), options: [["--models-max"]])
        + group(.none("models have no tags"), options: [["--tags"]])
        + group(
            .none("--access-log logs requests"),
            options: [["-lv", "--verbosity", "--log-verbosity"], ["--log-file"], ["--log-colors"]],
            switches: [["-v", "--verbose", "--log-verbose"], ["--log-prefix"], ["--log-timestamps"], ["--perf"]])
        + group(.refused("flags set how answers are generated"), switches: [["--props"]])
        + group(.refused("--cache-dir keeps the prompt cache for later runs"), options: [["--slot-save-path"]])
        + group(.refused("--no-cache turns off the prompt cache"), switches: [["--no-cache-prompt"]])
        + group(.refused("embeddings have length 1"), options: [["--embd-normalize"]])
        + group(.refused("only the built-in page is served"), options: [["--path"]])
        + group(.refused("requests contain their pictures and sounds"), options: [["--media-path"]])
        + group(.refused("give the folder as an argument"), options: [["--models-dir"]])
        + group(.refused("flags apply to all models"), options: [["--models-preset"]])
        + group(
            .refused("give the adapter with the scale 0: --lora FILE:0"), switches: [["--lora-init-without-apply"]])
        + group(.refused("--keep-alive unloads models that are not used"), options: [["--sleep-idle-seconds"]])
        + group(.refused("clients run the tools"), options: [["--tools"]])
        + group(
            .refused("requests decide this"),
            options: [
                ["--mirostat"], ["--mirostat-lr"], ["--mirostat-ent"], ["--samplers"],
                ["--sampler-seq", "--sampling-seq"], ["-l", "--logit-bias"], ["--grammar"], ["--grammar-file"],
                ["-j", "--json-schema"], ["-jf", "--json-schema-file"],
            ],
            switches: [["--no-prefill-assistant"], ["--ignore-eos"]])
        + group(
            .refused("a prompt that does not fit the context is refused"), options: [["--keep"]],
            switches: [["--context-shift"]])
}
