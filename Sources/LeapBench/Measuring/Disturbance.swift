import Foundation

/// A disturbance that makes a measurement less representative of this machine.
enum Disturbance: Hashable {
    /// The fraction of CPU time that other processes used.
    case others(Double)
    /// The fraction of CPU time that the hypervisor used for others.
    case steal(Double)
    /// The read rate of decoding as a multiple of the supposed limit.
    case limit(Double)

    /// A short name for machine-readable reports.
    var name: String {
        switch self {
        case .others: "others"
        case .steal: "steal"
        case .limit: "limit"
        }
    }

    private var share: Double {
        switch self {
        case .others(let share), .steal(let share), .limit(let share): share
        }
    }

    /// Fractions above this change figures by more than they vary between repetitions on an otherwise idle machine.
    private static let mostOthers = 0.05
    private static let mostSteal = 0.02
    /// Shares of the limit are displayed in whole per cent.
    private static let mostOfLimit = 1.005

    /// The disturbances of a test.
    ///
    /// - Parameter limitShare: The fraction of the read limit that the test reached.
    static func found(_ use: CPUUse?, limitShare: Double?) -> [Disturbance] {
        var found: [Disturbance] = []
        if let use, use.others > mostOthers { found.append(.others(use.others)) }
        if let use, use.steal > mostSteal { found.append(.steal(use.steal)) }
        if let limitShare, limitShare > mostOfLimit { found.append(.limit(limitShare)) }
        return found
    }
}

extension Disturbance {
    /// The warnings about all tests: one line per kind of disturbance, with the test that suffered most.
    static func warnings(_ tests: [(name: String, disturbances: [Disturbance])]) -> [String] {
        let all = tests.flatMap { test in test.disturbances.map { (test: test.name, disturbance: $0) } }
        return ["others", "steal", "limit"].compactMap { kind in
            all.filter { $0.disturbance.name == kind }.max { $0.disturbance.share < $1.disturbance.share }
                .map { "warning: " + $0.disturbance.text(test: $0.test) }
        }
    }

    private func text(test: String) -> String {
        let percent = String(format: "%.0f %%", share * 100)
        return switch self {
        case .others:
            "other processes took \(percent) of the CPU time during \(test), which distorts the results. "
                + "Measure again when nothing else is running."
        case .steal:
            "the host of this virtual machine withheld \(percent) of the CPU time (steal) during \(test): "
                + "compare only tests that were measured alternately."
        case .limit:
            "\(test) read \(percent) of the limit, so other processes used more memory bandwidth while the limit was "
                + "measured than during the test: 'of limit' is meaningless here."
        }
    }
}

extension LoadAverage {
    /// The number of waiting threads per CPU above which measuring is pointless.
    private static let mostPerCPU = 0.25

    /// The warning before the first measurement; `nil` if nothing else is computing now.
    func warning(cpus: Int) -> String? {
        guard running > 1, lastMinute > Self.mostPerCPU * Double(cpus) else { return nil }
        let load = String(format: "%.2f", lastMinute)
        return
            "warning: the load average is \(load) on \(cpus) \(cpus == 1 ? "CPU" : "CPUs"): other processes will "
            + "distort the results."
    }
}
