package import LeapBlocks
package import LeapGGUF

/// Which type every tensor of a file will have.
package struct QuantizationPlan: Sendable {
    /// A tensor and its type to be.
    package struct Conversion: Sendable {
        package let tensor: GGUFTensor
        package let type: GGMLType
        /// Bytes that it will have.
        package let byteCount: Int
    }

    package let file: GGUFFile
    package let recipe: QuantizationRecipe
    /// In the file's order.
    package let conversions: [Conversion]

    /// Bytes of all tensors.
    package var byteCount: Int { conversions.reduce(0) { $0 + $1.byteCount } }

    /// - Throws: ``QuantizationError`` where a tensor cannot get its type.
    package init(_ file: GGUFFile, _ recipe: QuantizationRecipe) throws(QuantizationError) {
        self.file = file
        self.recipe = recipe
        let roles = TensorRoles(file)
        var conversions: [Conversion] = []
        for tensor in file.tensors {
            let type = try Self.type(of: tensor, roles, recipe)
            guard let size = type.byteCount(elements: tensor.elementCount) else {
                throw .partialBlock(tensor: tensor.name, type: type, columns: tensor.dimensions[0])
            }
            conversions.append(Conversion(tensor: tensor, type: type, byteCount: size))
        }
        self.conversions = conversions
    }

    private static func type(
        of tensor: GGUFTensor, _ roles: TensorRoles, _ recipe: QuantizationRecipe
    ) throws(QuantizationError) -> GGMLType {
        guard let role = roles.role(of: tensor) else { return tensor.type }
        let columns = tensor.dimensions[0]
        let wanted = wanted(tensor, role, recipe)
        if let wanted, !columns.isMultiple(of: wanted.elementsPerBlock) {
            throw .partialBlock(tensor: tensor.name, type: wanted, columns: columns)
        }
        let type =
            wanted
            ?? recipe.fileType.tensorType(
                of: recipe.isPure ? .matrix : role, columns: columns, in: roles.model,
                isExperts: tensor.dimensions.count > 2, hasImportance: recipe.hasImportance)
        guard type != tensor.type else { return type }
        guard tensor.type.isSupportedWeight else { throw .unreadableType(tensor: tensor.name, type: tensor.type) }
        guard tensor.type.elementsPerBlock == 1 || recipe.allowsRequantizing else {
            throw .alreadyQuantized(tensor: tensor.name, type: tensor.type)
        }
        return type
    }

    /// The type that the user asks for by a flag; `nil` where the mix decides.
    private static func wanted(
        _ tensor: GGUFTensor, _ role: TensorRole, _ recipe: QuantizationRecipe
    ) -> GGMLType? {
        if let rule = recipe.rules.last(where: { $0.matches(tensor.name) }) { return rule.type }
        if tensor.name == "token_embd.weight", let type = recipe.embeddingType { return type }
        return role == .output ? recipe.outputType : nil
    }
}
