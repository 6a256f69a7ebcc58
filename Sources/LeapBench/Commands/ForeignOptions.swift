import ArgumentParser

/// Flags of llama-bench that leap-bench accepts for compatibility with scripts: flags that have no meaning on a CPU are
/// mentioned once, and those that would measure something else are rejected.
///
/// Source: the usage of llama-bench, and of earlier versions `--mmap` and `--direct-io`.
struct ForeignOptions: ParsableArguments {
    // MARK: Devices that do not exist here

    @Option(name: names("ngl", "n-gpu-layers"), parsing: .unconditionalSingleValue, help: "No effect: there is no GPU.")
    private var layers: [String] = []

    @Option(name: names("ncmoe", "n-cpu-moe"), help: "No effect: the CPU computes everything.")
    private var experts: [String] = []

    @Option(name: names("sm", "split-mode"), help: "No effect: there is no GPU.")
    private var splitModes: [String] = []

    @Option(name: names("mg", "main-gpu"), help: "No effect: there is no GPU.")
    private var mainGPU: [String] = []

    @Option(name: names("nkvo", "no-kv-offload"), help: "No effect: the KV cache is always in memory.")
    private var keepsCache: [String] = []

    @Option(name: names("ts", "tensor-split"), help: "No effect: there is no GPU.")
    private var tensorSplits: [String] = []

    @Option(name: names("ot", "override-tensor"), help: "No effect: all tensors are in this machine's memory.")
    private var overrides: [String] = []

    @Option(name: names("nopo", "no-op-offload"), help: "No effect: there is no GPU.")
    private var keepsOperations: [String] = []

    @Option(name: .customLong("no-host"), help: "No effect: there is no GPU.")
    private var keepsBuffers: [String] = []

    @Option(name: names("fitt", "fit-target"), help: "No effect: there is no device memory to fit.")
    private var fitTargets: [String] = []

    @Option(name: names("fitc", "fit-ctx"), help: "No effect: there is no device memory to fit.")
    private var fitContexts: [String] = []

    @Option(name: names("dev", "device"), help: "auto, none or CPU.")
    private var device: Device?

    // MARK: Where and how threads run

    @Option(
        name: .customLong("numa"), help: "No effect: the operating system places memory and threads; see numactl(8).")
    private var numa: [String] = []

    @Option(name: .customLong("prio"), parsing: .unconditionalSingleValue, help: "No effect: see nice(1).")
    private var priority: [String] = []

    @Option(name: .customLong("cpu-strict"), help: "No effect: the operating system schedules threads.")
    private var strict: [String] = []

    @Option(name: .customLong("poll"), help: "No effect: the waiting strategy of threads is fixed.")
    private var polling: [String] = []

    @Option(name: [.customShort("C"), .customLong("cpu-mask")], help: "Only 0x0; use taskset(1) for other masks.")
    private var mask: String?

    // MARK: How models are loaded and computed, and where

    @Option(name: names("fa", "flash-attn"), help: "No effect: there is only one attention implementation.")
    private var flashAttention: [String] = []

    @Option(name: .customLong("repack"), help: "No effect: weights are never repacked.")
    private var repack: [String] = []

    @Option(name: names("lzm", "lazy-mode"), help: "No effect: weights are read on first use.")
    private var lazyModes: [String] = []

    @Option(name: names("lm", "load-mode"), help: "auto or mmap: map the file; none: read it into memory.")
    private var loadMode: LoadMode?

    @Option(name: names("mmp", "mmap"), help: "1: map the file; 0: read it into memory.")
    private var mmap: Switch?

    @Option(name: names("dio", "direct-io"), help: "Only 0.")
    private var directIO: Switch?

    @Option(name: names("embd", "embeddings"), help: "Only 0.")
    private var embeddings: Switch?

    @Option(name: names("rpc", "rpc"), help: "Not supported: only this machine can be measured.")
    private var servers: String?

    @Flag(name: .customLong("list-devices"), help: "List the devices that can be measured: the CPU.")
    var listsDevices = false

    /// Whether the file is mapped instead of read into memory.
    var isMapped: Bool { loadMode != LoadMode.none && mmap != .off }

    /// The flags without effect, in one line; `nil` if there are none.
    var note: String? {
        let names = [
            ("-ngl", layers), ("-ncmoe", experts), ("-sm", splitModes), ("-mg", mainGPU), ("-nkvo", keepsCache),
            ("-ts", tensorSplits), ("-ot", overrides), ("-nopo", keepsOperations), ("--no-host", keepsBuffers),
            ("-fitt", fitTargets), ("-fitc", fitContexts), ("--numa", numa), ("--prio", priority),
            ("--cpu-strict", strict), ("--poll", polling), ("-fa", flashAttention), ("--repack", repack),
            ("-lzm", lazyModes),
        ].filter { !$1.isEmpty }.map(\.0)
        guard !names.isEmpty else { return nil }
        return "note: flags without effect: \(names.joined(separator: ", ")). See 'leap-bench run --help-hidden'."
    }

    func validate() throws {
        if let servers { throw ValidationError("-rpc \(servers): only this machine can be measured.") }
        if directIO == .on { throw ValidationError("-dio 1: direct I/O is not supported.") }
        if embeddings == .on { throw ValidationError("-embd 1: measuring embeddings is not supported.") }
        guard let mask, !mask.trimmingPrefix("0x").allSatisfy({ $0 == "0" }) else { return }
        throw ValidationError("-C \(mask): threads run on the CPUs of the process. Use 'taskset \(mask) leap-bench …'.")
    }

    private enum Device: String, CaseIterable, ExpressibleByArgument {
        case auto, none
        case cpu = "CPU"
    }

    /// How a model's file is loaded into memory; the parser rejects modes that are missing here.
    private enum LoadMode: String, CaseIterable, ExpressibleByArgument {
        case auto, mmap, none
    }

    private enum Switch: String, CaseIterable, ExpressibleByArgument {
        case off = "0"
        case on = "1"
    }
}

/// A flag as llama-bench spells it: one dash for the short name, two for the long one.
private func names(_ short: String, _ long: String) -> NameSpecification {
    [.customLong(short, withSingleDash: true), .customLong(long)]
}

/// Alternative spellings of flags that llama-bench accepts.
enum ForeignSpelling {
    /// Replaces underscores by dashes in the names of long flags.
    static func canonical(_ arguments: some Sequence<String>) -> [String] {
        arguments.map { argument in
            guard argument.hasPrefix("--") else { return argument }
            let name = argument.prefix { $0 != "=" }
            return String(name.replacing("_", with: "-")) + String(argument.dropFirst(name.count))
        }
    }
}
