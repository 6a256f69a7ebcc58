import Foundation

/// Maps numbers to positions on a line with a logarithmic scale.
struct LogarithmicAxis {
    /// Powers of ten that lie on the axis, from its first to its last point.
    let decades: [Int]
    private let start: Double
    private let length: Double

    /// An axis over whole decades, at least one.
    ///
    /// - Parameters:
    ///   - values: Numbers that must lie on the axis; all above 0.
    ///   - start: The coordinate of the first point.
    ///   - end: The coordinate of the last point; less than `start` for an axis that goes up the page.
    init(holding values: [Double], from start: Double, to end: Double) {
        let logarithms = values.filter { $0 > 0 && $0.isFinite }.map { log10($0) }
        let first = Int(floor(logarithms.min() ?? 0))
        let last = Int(ceil(logarithms.max() ?? 1))
        decades = Array(first...max(last, first + 1))
        self.start = start
        length = (end - start) / Double(decades.count - 1)
    }

    /// The coordinate of a number above 0.
    func position(_ value: Double) -> Double { start + (log10(value) - Double(decades[0])) * length }

    /// The smallest number on the axis.
    var lowest: Double { pow(10, Double(decades[0])) }

    /// `0.01`, `1`, `1000` for a power of ten.
    static func label(_ decade: Int) -> String {
        String(format: "%.\(max(0, -decade))f", pow(10, Double(decade)))
    }
}
