import LeapOps

extension Compute {
    /// A rule by which rows are taken from one memory to another; it may use the scratch memory, and gives a row for each.
    typealias RecurrentRule = (
        _ inputs: RecurrentInputs, _ source: RecurrentMemory, _ target: RecurrentMemory, _ scratch: RecurrentScratch,
        _ output: Rows
    ) -> Void

    /// Takes the rows of a pass into their sequences' memories of a layer.
    ///
    /// - Parameters:
    ///   - inputs: Those of the whole pass.
    ///   - learned: Becomes what the rule gives, `[n, valueWidth]`.
    func learn(
        _ inputs: RecurrentInputs, _ shape: RecurrentShape, layer: Int, _ pass: ForwardPass, into learned: Rows,
        by rule: RecurrentRule
    ) {
        let memory = recurrentScratch(shape, count: max(inputs.count, SequenceState.reversibleRows))
        let repeated = scratch.rows(SequenceState.reversibleRows, width: shape.valueWidth)
        let learning = beginOperation()
        for run in pass.runs {
            pass.state(of: layer, in: run, as: RecurrentState.self)._withUnsafeGuaranteedRef { state in
                state.read(inputs, run.rows, at: pass.positions[run.rows.lowerBound], pass: run.number) {
                    rule(
                        $1.map { [inputs = $0] in inputs[$0] } ?? $0, $2, $3, memory,
                        $1.map { learned[$0] } ?? repeated[0..<$0.count])
                }
            }
        }
        endOperation(learning, .recurrence(learned, shape, sequences: pass.runs.count))
    }
}
