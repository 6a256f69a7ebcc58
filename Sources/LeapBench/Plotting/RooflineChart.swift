import Foundation

/// The upper part of a plot: multiply-adds per second against multiply-adds per byte, both logarithmic, with the roofs
/// and a numbered point for each test.
struct RooflineChart {
    let roofline: Roofline
    /// The points by their numbers, from 1.
    let points: [(number: Int, point: Roofline.Point, style: String)]
    /// The panel's edges.
    let left: Double
    let top: Double
    let right: Double
    let bottom: Double

    private let x: LogarithmicAxis
    private let y: LogarithmicAxis
    private var roofs: [Peaks] {
        let peaks = [roofline.peaks.last, roofline.peaks.first].compactMap(\.self)
        return peaks.first == peaks.last ? Array(peaks.prefix(1)) : peaks
    }

    init(
        _ roofline: Roofline, _ points: [(number: Int, point: Roofline.Point, style: String)], left: Double,
        top: Double, right: Double, bottom: Double
    ) {
        self.roofline = roofline
        self.points = points
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        let ridges = roofline.peaks.map { ($0.byteRate ?? $0.floatRate) / $0.readRate }
        x = LogarithmicAxis(holding: points.map(\.point.intensity) + ridges + [1], from: left, to: right)
        let ceilings = roofline.peaks.flatMap { [$0.floatRate, $0.byteRate ?? $0.floatRate, $0.readRate] }
        y = LogarithmicAxis(
            holding: (points.map(\.point.rate) + ceilings).map { $0 / 1e9 }, from: bottom, to: top)
    }

    func draw(in svg: inout SVG) {
        drawGrid(&svg)
        var labels: [(text: String, y: Double)] = []
        for (index, peaks) in roofs.enumerated() {
            drawRoof(peaks, style: index == 0 ? "roof" : "lower", isFirst: index == 0, &svg, &labels)
        }
        var lowest = -Double.infinity
        for label in labels.sorted(by: { $0.y < $1.y }) {
            lowest = max(label.y, lowest + 15)
            svg.text(label.text, right + 8, lowest + 4, "note")
        }
        drawPoints(&svg)
    }

    private func drawGrid(_ svg: inout SVG) {
        for decade in x.decades {
            let place = x.position(pow(10, Double(decade)))
            svg.line((place, top), (place, bottom), "grid")
            svg.text(LogarithmicAxis.label(decade), place, bottom + 16, "note", anchor: .middle)
        }
        for decade in y.decades {
            let place = y.position(pow(10, Double(decade)))
            svg.line((left, place), (right, place), "grid")
            svg.text(LogarithmicAxis.label(decade), left - 8, place + 4, "note", anchor: .end)
        }
        svg.text("multiply-adds per byte read", (left + right) / 2, bottom + 36, "text", anchor: .middle)
        svg.text("GMAC/s", left - 48, (top + bottom) / 2, "text", anchor: .middle, turned: true)
    }

    /// The memory-bandwidth slope, and the compute ceilings from where they meet it.
    private func drawRoof(
        _ peaks: Peaks, style: String, isFirst: Bool, _ svg: inout SVG, _ labels: inout [(text: String, y: Double)]
    ) {
        let threads = peaks.threads == 1 ? "1 thread" : "\(peaks.threads) threads"
        for (name, rate) in [("int8", peaks.byteRate), ("f32", peaks.floatRate)] {
            guard let rate else { continue }
            let (ridge, height) = (rate / peaks.readRate, y.position(rate / 1e9))
            svg.line((x.position(max(ridge, x.lowest)), height), (right, height), style)
            labels.append((String(format: "\(name) %.0f GMAC/s, \(threads)", rate / 1e9), height))
        }
        let ridge = (peaks.byteRate ?? peaks.floatRate) / peaks.readRate
        let start = max(x.lowest, y.lowest * 1e9 / peaks.readRate)
        let from = (x: x.position(start), y: y.position(start * peaks.readRate / 1e9))
        let to = (x: x.position(ridge), y: y.position(ridge * peaks.readRate / 1e9))
        svg.line(from, to, style)
        // The slopes for few and for many threads are often close together, so their labels are placed away from them.
        labels.append(
            (String(format: "slope: read %.0f GB/s, \(threads)", peaks.readRate / 1e9), bottom - (isFirst ? 20 : 4)))
    }

    /// Draws a dot at each point, with its number on it, or beside it if another number is there.
    private func drawPoints(_ svg: inout SVG) {
        let radius = 9.0
        var taken: [(x: Double, y: Double)] = []
        for (number, point, style) in points {
            let place = (x: x.position(point.intensity), y: y.position(point.rate / 1e9))
            let free = Self.offsets.first { offset in
                taken.allSatisfy { hypot($0.x - place.x - offset.x, $0.y - place.y - offset.y) >= 2 * radius + 2 }
            }
            let offset = free ?? (x: 0, y: 0)
            let label = (x: place.x + offset.x, y: place.y + offset.y)
            taken.append(label)
            if offset != (x: 0, y: 0) {
                svg.line(place, label, "grid")
                svg.circle(place, radius: 3, style)
            }
            svg.circle(label, radius: radius, style)
            svg.text("\(number)", label.x, label.y + 3.5, "number", anchor: .middle)
        }
    }

    /// The point itself, then rings around it, below and to the right first, because the roofs are above.
    private static let offsets: [(x: Double, y: Double)] =
        [(0, 0)]
        + [24.0, 46, 68, 90].flatMap { distance in
            (0..<16).map { step in
                let angle = Double(step) * .pi / 8 + .pi / 4
                return (x: distance * cos(angle), y: distance * sin(angle))
            }
        }
}
