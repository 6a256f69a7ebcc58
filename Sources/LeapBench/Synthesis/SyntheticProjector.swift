import LeapBlocks
import LeapGGUF
import LeapQuantize

/// A projector or voice file of a real one's shape with random weights: as fast as the real one, and freely
/// distributable.
struct SyntheticProjector: Sendable {
    let shape: any ProjectorDescription
    let fileType: FileType
    let seed: UInt64

    /// A name for the file.
    var name: String { "\(shape.name)-\(fileType.name)" }

    /// Writes the file; it appears under its name when it is complete.
    func write(to path: String) throws {
        try writer().write(to: path) { try appendTensors(to: $0) }
    }

    private func writer() throws -> GGUFWriter {
        var writer = GGUFWriter()
        setMetadata(of: &writer)
        for tensor in shape.tensors {
            try writer.addTensor(tensor.name, type: type(of: tensor), dimensions: tensor.dimensions)
        }
        return writer
    }

    /// Matrices have the file's type if their rows fit, otherwise half precision. Patch embeddings are filters: half
    /// precision in a half-precision file, otherwise single precision, like audio filters always are.
    private func type(of tensor: TensorShape) -> GGMLType {
        guard tensor.role == .matrix else {
            return tensor.name.hasPrefix("v.") && tensor.role == .filter && fileType == .F16 ? .F16 : .F32
        }
        let type = fileType.tensorType(of: .matrix, columns: tensor.columns, in: MixedModel(queriesPerKey: 1))
        return tensor.columns.isMultiple(of: type.elementsPerBlock) ? type : .F16
    }

    private func setMetadata(of writer: inout GGUFWriter) {
        writer.set("general.architecture", .string(shape.kind.architecture))
        if let type = shape.kind.type { writer.set("general.type", .string(type)) }
        writer.set("general.name", .string("\(shape.title), random weights of seed \(seed)"))
        writer.set("general.file_type", .uint32(UInt32(fileType.rawValue)))
        shape.setMetadata(of: &writer)
    }

    private func appendTensors(to output: GGUFOutput) throws {
        let buffer = RandomBlocks.makeBuffer()
        defer { buffer.deallocate() }
        for (index, tensor) in shape.tensors.enumerated() {
            let isVector = tensor.dimensions.count == 1
            guard isVector else {
                try tensor.appendRandom(type(of: tensor), seed: seed, index: index, buffer, to: output)
                continue
            }
            let value: Float = tensor.name.hasSuffix(".bias") ? 0 : 1
            try output.append([Float](repeating: value, count: tensor.elementCount))
        }
    }
}
