import Foundation
import LeapBlocks
import LeapBuildInfo
import LeapOps

/// A value of a machine-readable report.
enum FieldValue: Hashable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    case numbers([Double])
    case object([Field])
    case objects([[Field]])
    /// Does not exist for this test.
    case none
}

/// A named value of a machine-readable report.
struct Field: Hashable {
    let name: String
    let value: FieldValue

    init(_ name: String, _ value: FieldValue) {
        self.name = name
        self.value = value
    }
}

extension TestResult {
    /// All fields: those of llama-bench by its names and in its order, then our own.
    var fields: [Field] {
        programFields + modelFields + settingFields + testFields + ownFields + rooflineFields + profileFields
    }

    private var programFields: [Field] {
        [
            Field("build_commit", .text(BuildInfo.current.commit)),
            Field("build_number", .integer(BuildInfo.current.number)),
            Field("cpu_info", .text(Machine.processor)), Field("gpu_info", .text("")), Field("backends", .text("CPU")),
        ]
    }

    private var modelFields: [Field] {
        [
            Field("model_filename", .text(model.path)), Field("model_type", .text(model.type)),
            Field("model_size", .integer(model.byteCount)), Field("model_n_params", .integer(model.parameterCount)),
        ]
    }

    /// Settings that this engine lacks have the value that llama-bench reports for a run on the CPU.
    private var settingFields: [Field] {
        [
            Field("n_batch", .integer(point.batch)), Field("n_ubatch", .integer(point.chunk)),
            Field("n_threads", .integer(point.threads)), Field("cpu_mask", .text("0x0")),
            Field("cpu_strict", .flag(false)), Field("poll", .integer(50)),
            Field("type_k", .text("\(model.keyValueTypes.keys)")),
            Field("type_v", .text("\(model.keyValueTypes.values)")), Field("n_gpu_layers", .integer(0)),
            Field("n_cpu_moe", .integer(0)), Field("split_mode", .text("none")), Field("main_gpu", .integer(0)),
            Field("no_kv_offload", .flag(false)), Field("flash_attn", .integer(1)), Field("devices", .text("none")),
            Field("tensor_split", .text("0.00")), Field("tensor_buft_overrides", .text("none")),
            Field("load_mode", .text(model.isMapped ? "mmap" : "none")), Field("lazy_mode", .text("off")),
            Field("embeddings", .flag(false)), Field("no_op_offload", .integer(0)), Field("no_host", .flag(false)),
            Field("repack", .flag(false)), Field("fit_target", .integer(0)), Field("fit_min_ctx", .integer(0)),
        ]
    }

    private var testFields: [Field] {
        let test = point.test
        return [
            Field("n_prompt", .integer(test.promptTokens)), Field("n_gen", .integer(test.generatedTokens)),
            Field("n_depth", .integer(test.depth)), Field("test_time", .text(start.formatted(.iso8601))),
            Field("avg_ns", .integer(Int(nanoseconds.mean))),
            Field("stddev_ns", .integer(Int(nanoseconds.standardDeviation))),
            Field("avg_ts", .number(rates.mean)), Field("stddev_ts", .number(rates.standardDeviation)),
            Field("samples_ns", .numbers(nanosecondSamples)), Field("samples_ts", .numbers(rateSamples)),
        ]
    }

    /// Sizes in bytes, rates in tokens or bytes per second.
    private var ownFields: [Field] {
        let keyValueBytes: FieldValue =
            point.test.decodesOnly ? .number(traffic.keyValueBytes(point.test)) : .none
        return [
            Field("test", .text(point.test.name)), Field("n_parallel", .integer(point.test.sequences)),
            Field("kernels", .text(kernels.rawValue)),
            Field("blas", .text(Compute.blasDescription)), Field("n_threads_used", .integer(threadsUsed)),
            Field("load_ns", .integer(Int(model.loadSeconds * 1e9))), Field("median_ts", .number(rates.median)),
            Field("p10_ts", .number(rates.quantile(0.1))),
            Field("p90_ts", .number(rates.quantile(0.9))),
            Field("peak_resident_bytes", .integer(measurement.memory.peakResident)),
            Field("anonymous_bytes", .integer(measurement.memory.anonymous)),
            Field("extraWeightBytes", .integer(measurement.extraWeightBytes)),
            Field("weight_bytes_per_token", .integer(Int(traffic.weightBytesPerToken(point.test).rounded()))),
            Field("kv_bytes_per_token", keyValueBytes), Field("read_rate", FieldValue(readRate)),
            Field("read_limit", FieldValue(readLimit)), Field("read_share", FieldValue(readShare)),
        ] + machineFields
    }
}

extension TestResult {
    /// Other load on the machine, as shares of all CPUs' time, 0 to 1.
    fileprivate var machineFields: [Field] {
        [
            Field("load_average", FieldValue(loadAverage)), Field("others_share", FieldValue(cpuUse?.others)),
            Field("steal_share", FieldValue(cpuUse?.steal)),
            Field("disturbed_by", .text(disturbances.map(\.name).joined(separator: " "))),
        ]
    }

    /// Multiply-adds per byte and per second, and fractions of the machine's limits; empty if they were not measured. The
    /// fields are always there, so that all results fit into one table.
    fileprivate var rooflineFields: [Field] {
        let point = rooflinePoint
        return [
            Field("intensity", FieldValue(point?.intensity)), Field("multiply_add_rate", FieldValue(point?.rate)),
            Field("roof_read_share", FieldValue(point?.readShare)),
            Field("roof_peak_share", FieldValue(point?.peakShare)),
        ]
    }

    /// Only if it was measured. Times in nanoseconds of the whole test.
    fileprivate var profileFields: [Field] {
        guard let profile = measurement.profile else { return [] }
        let operations = profile.lines.map { line in
            [
                Field("name", .text(line.name)), Field("weights", .text(line.weights)),
                Field("count", .integer(line.count)), Field("ns", .integer(nanoseconds(line.seconds))),
                Field("wait_ns", .integer(nanoseconds(line.waitSeconds))), Field("bytes", .number(line.bytes)),
                Field("multiply_adds", .number(line.multiplyAdds)),
            ]
        }
        let threads = profile.threads.map { thread in
            [
                Field("busy_ns", .integer(nanoseconds(thread.busy))),
                Field("wait_ns", .integer(nanoseconds(thread.waits))),
                Field("outside_ns", .integer(nanoseconds(thread.alone))),
            ]
        }
        return [
            Field(
                "profile",
                .object([
                    Field("ns", .integer(nanoseconds(profile.seconds))), Field("passes", .integer(profile.passes)),
                    Field("explained", .number(profile.explained)), Field("operations", .objects(operations)),
                    Field("threads", .objects(threads)),
                ]))
        ]
    }

    private func nanoseconds(_ seconds: Double) -> Int { Int(seconds * 1e9) }
}

extension FieldValue {
    /// An optional number.
    fileprivate init(_ number: Double?) { self = number.map { .number($0) } ?? .none }
}
