import Foundation
import LeapBlocks

/// Results as a picture: the roofline, and below it a bar per test that shows how much of its limit it reaches.
struct Plot {
    let roofline: Roofline
    let results: [TestResult]

    private static let width = 900.0
    private static let rowHeight = 26.0
    private static let chartBottom = 420.0
    private static let barsTop = 500.0

    /// The file's text.
    var document: String {
        let height = Self.barsTop + Double(results.count) * Self.rowHeight + 24
        var svg = SVG(width: Self.width, height: height)
        svg.rectangle(0, 0, Self.width, height, "page")
        svg.text("Measured speed and the roofline of this machine", 24, 32, "title")
        let processor = Machine.processor.isEmpty ? "" : Machine.processor + ", "
        svg.text("\(processor)kernels \(roofline.kernels.rawValue)", 24, 52, "note")
        RooflineChart(roofline, points, left: 84, top: 72, right: Self.width - 200, bottom: Self.chartBottom)
            .draw(in: &svg)
        drawBars(&svg)
        return svg.document
    }

    private var points: [(number: Int, point: Roofline.Point, style: String)] {
        results.enumerated().compactMap { index, result in
            roofline.point(result).map { (index + 1, $0, Self.style(result)) }
        }
    }

    private func drawBars(_ svg: inout SVG) {
        svg.text("Share of the limit: memory read rate for decoding, compute rate for the rest", 24, 484, "text")
        for (index, result) in results.enumerated() {
            let y = Self.barsTop + Double(index) * Self.rowHeight
            svg.circle((34, y + 9), radius: 9, Self.style(result))
            svg.text("\(index + 1)", 34, y + 12.5, "number", anchor: .middle)
            svg.text(Self.label(result), 52, y + 13)
            drawBar(roofline.point(result), result, y, &svg)
        }
    }

    private func drawBar(_ point: Roofline.Point?, _ result: TestResult, _ y: Double, _ svg: inout SVG) {
        let (left, width) = (400.0, 260.0)
        let share = point?.readShare ?? point?.peakShare
        svg.rectangle(left, y + 2, width, 14, "track")
        if let share { svg.rectangle(left, y + 2, width * min(max(share, 0), 1), 14, Self.style(result)) }
        let limit = share.map { String(format: " · %.0f %%", $0 * 100) } ?? ""
        svg.text(String(format: "%.1f tokens/s", result.rates.median) + limit, left + width + 12, y + 13)
    }

    private static func style(_ result: TestResult) -> String {
        result.point.test.decodesOnly ? "decode" : "prefill"
    }

    /// `tg128 · lfm2 1.2B Q4_K - Medium · 2t`, no longer than its column.
    private static func label(_ result: TestResult) -> String {
        let text = "\(result.point.test.name) · \(result.model.type) · \(result.threadsUsed)t"
        let longest = 46
        return text.count <= longest ? text : text.prefix(longest - 1) + "…"
    }
}
