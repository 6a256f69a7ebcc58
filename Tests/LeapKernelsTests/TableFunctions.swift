import LeapBlocks

extension KernelTable {
    /// The addresses of all functions, by name.
    var functions: [String: UInt] {
        var functions = floats.functions
        functions["peak of floats"] = address(peaks.floats.run)
        functions["peak of bytes"] = peaks.bytes.map { address($0.run) }
        for type in GGMLType.allCases {
            functions["\(type) quantize"] = quantizer(to: type).map { address($0) }
            guard let kernels = self[type] else { continue }
            functions["\(type) dequantize"] = address(kernels.dequantize)
            functions["\(type) dot"] = address(kernels.dot)
            functions["\(type) tiles"] = kernels.tiles.map { address($0.unpack) &+ address($0.multiply) }
        }
        return functions
    }

    /// The names of functions that differ from those of another table, or that only one of the tables has.
    func differences(from other: KernelTable) -> Set<String> {
        let (mine, others) = (functions, other.functions)
        return Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }
    }
}

extension FloatKernels {
    fileprivate var functions: [String: UInt] {
        [
            "rmsNorm": address(rmsNorm), "layerNorm": address(layerNorm), "gelu": address(gelu),
            "exactGELU": address(exactGELU), "exactGEGLU": address(exactGEGLU), "add": address(add),
            "addScaled": address(addScaled),
            "softCap": address(softCap), "softmax": address(softmax), "swiGLU": address(swiGLU),
            "geGLU": address(geGLU),
            "boundedSwiGLU": address(boundedSwiGLU), "sigmoidGLU": address(sigmoidGLU),
            "ropeNeoX": address(ropeNeoX),
            "ropeInterleaved": address(ropeInterleaved), "storeKeyValue": address(storeKeyValue),
            "prepareQueries": address(prepareQueries), "attend": address(attend),
            "combineAttention": address(combineAttention),
            "shortConvolution": address(shortConvolution),
            "causalConvolution": address(causalConvolution), "deltaRule": address(deltaRule),
            "stateSpace": address(stateSpace), "toHalf": address(toHalf),
            "copyRows": address(copyRows), "prefetchRows": address(prefetchRows),
            "readBytes": address(readBytes),
        ]
    }
}

/// The address of a C function.
func address<Function>(_ function: Function) -> UInt { unsafeBitCast(function, to: UInt.self) }
