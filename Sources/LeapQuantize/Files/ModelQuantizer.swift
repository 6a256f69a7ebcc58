import LeapBlocks
import LeapGGUF
import Synchronization

/// Writes a model's file with other tensor types.
///
/// Tensors are read, converted and written slab by slab, so that memory stays at some tens of megabytes per thread.
package struct ModelQuantizer: Sendable {
    private let plan: QuantizationPlan
    private let importance: ImportanceMatrix?
    private let threads: Int

    /// - Parameters:
    ///   - plan: What to write.
    ///   - importance: The weights of the errors of matrices' columns; without it, all are equal.
    ///   - threads: Threads that compute, at least 1.
    package init(_ plan: QuantizationPlan, importance: ImportanceMatrix? = nil, threads: Int) {
        self.plan = plan
        self.importance = importance
        self.threads = max(1, threads)
    }

    /// The version of the quantisation formats for `general.quantization_version`. Source: the GGUF specification.
    private static let formatVersion: UInt32 = 2

    /// Writes the file; it appears under its name when it is complete.
    ///
    /// - Parameter progress: Gets the number of bytes written so far, and the tensor's name.
    /// - Throws: ``QuantizationError``, or ``GGUFError`` when the file cannot be read or written. Nothing is left behind.
    package func write(to path: String, progress: (_ done: Int, _ tensor: String) -> Void = { _, _ in }) throws {
        try importance?.check(plan)
        try writer().write(to: path) { output in
            var done = 0
            for conversion in plan.conversions {
                try append(conversion, to: output) { count in
                    done += count
                    progress(done, conversion.tensor.name)
                }
                try plan.file.checkNothingLost()
            }
            try plan.file.checkUnchanged()
        }
    }

    private func writer() throws -> GGUFWriter {
        var writer = GGUFWriter()
        writer.add(contentsOf: plan.file.metadata)
        writer.removeSplitKeys()
        writer.set("general.quantization_version", .uint32(Self.formatVersion))
        writer.set("general.file_type", .uint32(UInt32(plan.recipe.fileType.rawValue)))
        if let importance { importance.describe(in: &writer) }
        for conversion in plan.conversions {
            let tensor = conversion.tensor
            try writer.addTensor(tensor.name, type: conversion.type, dimensions: tensor.dimensions)
        }
        return writer
    }

    private func append(
        _ conversion: QuantizationPlan.Conversion, to output: GGUFOutput, _ wrote: (Int) -> Void
    ) throws {
        let tensor = conversion.tensor
        // Without error weights, a search finds little that least squares does not.
        let effort: QuantizationEffort = importance == nil && !plan.recipe.isThorough ? .quick : .thorough
        guard conversion.type != tensor.type, let encoder = RowEncoder(conversion.type, effort: effort) else {
            return try output.append(tensor, progress: wrote)
        }
        let weights = importance?.weights(of: tensor)
        let conversion = try TensorConversion(tensor, encoder, weights: weights)
        try conversion.run(threads: threads) { bytes in
            try output.append(bytes)
            wrote(bytes.count)
        }
    }
}
