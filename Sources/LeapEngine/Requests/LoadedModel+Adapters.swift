import LeapModels
import Synchronization

/// How much adapters weigh in answers that do not say it themselves.
final class AdapterDefaults: Sendable {
    private let scales: Mutex<[Float]>

    init(_ scales: [Float]) { self.scales = Mutex(scales) }

    var current: [Float] { scales.withLock(\.self) }

    func set(_ new: [Float]) { scales.withLock { $0 = new } }
}

extension LoadedModel {
    /// The scale of each adapter for answers whose options name none: the one it was loaded with, until
    /// ``setAdapterScales(_:)`` changes it.
    public var adapterScales: [Float] { adapterDefaults.current }

    /// Changes the default scales for answers that begin from now on. Answers under way keep theirs.
    ///
    /// - Throws: ``EngineError/adapterScales(_:)`` unless there is a finite number for each adapter.
    public func setAdapterScales(_ scales: [Float]) throws(EngineError) {
        try checkAdapterScales(scales)
        adapterDefaults.set(scales)
    }

    /// The scales of all adapters, given those of some by number, from 0 on; the others are 0.
    ///
    /// - Throws: ``EngineError/noSuchAdapter(number:count:)``.
    public func adapterScales(numbered scales: [Int: Float]) throws(EngineError) -> [Float] {
        var all = [Float](repeating: 0, count: weights.adapters.count)
        for (number, scale) in scales {
            guard all.indices.contains(number) else { throw .noSuchAdapter(number: number, count: all.count) }
            all[number] = scale
        }
        try checkAdapterScales(all)
        return all
    }

    /// The scales that an answer with these options has; `nil` of a model without adapters.
    ///
    /// - Throws: ``EngineError/noSuchAdapter(number:count:)``, ``EngineError/adapterScales(_:)``.
    public func adapterScales(_ options: AnswerOptions) throws(EngineError) -> [Float]? {
        var scales = adapterScales
        if let numbered = options.adapterScalesByNumber {
            scales = try adapterScales(numbered: numbered)
        } else if let stated = options.adapterScales {
            try checkAdapterScales(stated)
            scales = stated
        }
        return scales.isEmpty ? nil : scales
    }

    private func checkAdapterScales(_ scales: [Float]) throws(EngineError) {
        let count = weights.adapters.count
        guard scales.count == count, scales.allSatisfy(\.isFinite) else {
            throw .adapterScales(.invalidAdapterScales(scales, adapters: count))
        }
    }
}
