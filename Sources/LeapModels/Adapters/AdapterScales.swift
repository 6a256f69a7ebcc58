import LeapOps

/// The scale of every adapter of a model in every row of a pass, in scratch memory.
struct AdapterScales {
    /// `[adapters, rows]`
    private let base: UnsafeMutablePointer<Float>
    /// Whether any row wants an adapter.
    private let used: UnsafeMutablePointer<Bool>
    private let adapters: Int
    private let rows: Int

    fileprivate init(adapters: Int, rows: Int, _ scratch: ScratchArena) {
        base = scratch.array(of: Float.self, count: adapters * rows)
        used = scratch.array(of: Bool.self, count: adapters)
        (self.adapters, self.rows) = (adapters, rows)
    }

    /// The scales of an adapter, one for each row.
    subscript(adapter: Int) -> UnsafePointer<Float> { UnsafePointer(base + adapter * rows) }

    /// Whether any row wants an adapter.
    func isUsed(_ adapter: Int) -> Bool { used[adapter] }

    /// Fills in what every row wants.
    fileprivate func fill(_ scale: (_ adapter: Int, _ row: Int) -> Float) {
        for adapter in 0..<adapters {
            var isUsed = false
            for row in 0..<rows {
                let value = scale(adapter, row)
                (base + adapter * rows + row).initialize(to: value)
                isUsed = isUsed || value != 0
            }
            (used + adapter).initialize(to: isUsed)
        }
    }

    /// The scales of some of the rows.
    func of(_ wanted: [Int], _ compute: Compute) -> AdapterScales {
        scales(count: wanted.count, compute) { wanted[$0] }
    }

    /// The scales of the rows that experts multiply.
    func of(_ groups: ExpertGroups, _ compute: Compute) -> AdapterScales {
        scales(count: groups.slotCount, compute) { groups.row(ofSlot: $0) }
    }

    private func scales(count: Int, _ compute: Compute, row: (Int) -> Int) -> AdapterScales {
        let scales = AdapterScales(adapters: adapters, rows: count, compute.scratch)
        if !compute.isCounting { scales.fill { self[$0][row($1)] } }
        return scales
    }
}

extension Compute {
    /// The adapter scales of a batch's rows, as their sequences set them; `nil` for a model without adapters.
    func adapterScales(of batch: Batch, adapters: Int) -> AdapterScales? {
        guard adapters > 0 else { return nil }
        let scales = AdapterScales(adapters: adapters, rows: batch.count, scratch)
        guard !isCounting else { return scales }
        scales.fill { adapter, row in batch.withState(of: batch.sequenceOfRow[row]) { $0.adapterScales[adapter] } }
        return scales
    }
}
