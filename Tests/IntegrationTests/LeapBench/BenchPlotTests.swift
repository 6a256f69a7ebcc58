import Foundation
import LeapBlocks
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@testable import leap_bench

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("Plots of leap-bench")
struct BenchPlotTests {
    private static let peaks = [
        Peaks(threads: 1, readRate: 30e9, floatRate: 60e9, byteRate: 240e9),
        Peaks(threads: 2, readRate: 35e9, floatRate: 120e9, byteRate: 470e9),
    ]

    private static func document(_ tests: [TestCase], seconds: Double = 1) -> String {
        Plot(
            roofline: Roofline(kernels: .portable, peaks: peaks),
            results: tests.map { .example($0, seconds: [seconds]) }
        ).document
    }

    @Test("A plot does not replace the model, and an error names the model that failed")
    func inputs() async throws {
        let folder = try TemporaryFolder()
        let model = try Data(contentsOf: URL(filePath: Fixture(name: "lfm2-tied-f32").path))
        let path = folder.path("m.gguf")
        try model.write(to: URL(filePath: path))
        let refused = try await Tool.leapBench.run(["-m", path, "-p", "8", "-n", "0", "-r", "1", "--plot", path])
        #expect(refused.status == ExitStatus.failure && refused.errorText.contains("is also an input file"))
        #expect(try Data(contentsOf: URL(filePath: path)) == model)
        let encoder = Fixture(name: "embeddings/bert-mean").path
        let failed = try await Tool.leapBench.run(["-m", path, "-m", encoder, "-p", "8", "-n", "0", "-r", "1"])
        #expect(failed.errorText.contains("'\(encoder)': "), "\(failed.errorText)")
    }

    @Test("A plot is well-formed, with a point and a bar for every result")
    func structure() throws {
        let text = Self.document([TestCase(promptTokens: 512), TestCase(generatedTokens: 20)])
        let elements = try Self.elements(text)
        // A circle in the chart and one beside the bar.
        #expect(elements.filter { $0.name == "circle" }.count == 4)
        // The page, and a track and a bar for each result.
        #expect(elements.filter { $0.name == "rect" }.count == 5)
        #expect(text.contains("tg20 · llama 1B &lt;Q8_0&gt; · 2t"))
        #expect(text.contains("20.0 tokens/s · 57 %"))
        #expect(text.contains("int8 470 GMAC/s, 2 threads"))
        #expect(text.contains("prefers-color-scheme: dark"))
    }

    @Test("All elements are on the page", arguments: [1e-6, 1, 1e6])
    func onPage(seconds: Double) throws {
        let tests = (0..<12).map { TestCase(generatedTokens: 20, depth: $0) } + [TestCase(promptTokens: 4096)]
        let elements = try Self.elements(Self.document(tests, seconds: seconds))
        let page = try #require(elements.first { $0.name == "svg" })
        let (width, height) = (try page.number("width"), try page.number("height"))
        for element in elements {
            for key in ["x", "cx", "x1", "x2"] where element.attributes[key] != nil {
                #expect((0...width).contains(try element.number(key)), "\(element)")
            }
            for key in ["y", "cy", "y1", "y2"] where element.attributes[key] != nil {
                #expect((0...height).contains(try element.number(key)), "\(element)")
            }
        }
    }

    @Test("Numbers of points at the same place do not overlap")
    func overlaps() throws {
        let tests = [TestCase](repeating: TestCase(generatedTokens: 20), count: 9)
        let circles = try Self.elements(Self.document(tests)).filter { $0.attributes["r"] == "9.0" }
        #expect(circles.count == 18)
        for (index, circle) in circles.enumerated() {
            for other in circles[..<index] {
                let distance = hypot(
                    try circle.number("cx") - other.number("cx"), try circle.number("cy") - other.number("cy"))
                #expect(distance >= 18)
            }
        }
    }

    @Test("Labels of roofs do not overlap, even if the roofs are equal")
    func roofLabels() throws {
        let same = Peaks(threads: 1, readRate: 30e9, floatRate: 100e9, byteRate: 100e9)
        let plot = Plot(roofline: Roofline(kernels: .portable, peaks: [same]), results: [])
        let labels = try Self.elements(plot.document).filter { $0.name == "text" && $0.attributes["x"] == "708.0" }
        let places = try labels.map { try $0.number("y") }.sorted()
        #expect(places.count == 3)
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 14 })
    }

    @Test("An axis extends to whole powers of ten around its numbers")
    func axis() {
        let axis = LogarithmicAxis(holding: [0.5, 30], from: 100, to: 400)
        #expect(axis.decades == [-1, 0, 1, 2])
        #expect(axis.position(0.1) == 100)
        #expect(axis.position(100) == 400)
        #expect(abs(axis.position(1) - 200) < 1e-9)
        #expect([-2, 0, 3].map(LogarithmicAxis.label) == ["0.01", "1", "1000"])
        #expect(LogarithmicAxis(holding: [], from: 0, to: 1).decades == [0, 1])
    }

    // MARK: - Reading SVG

    private struct Element {
        let name: String
        let attributes: [String: String]

        func number(_ key: String) throws -> Double { try #require(attributes[key].flatMap { Double($0) }) }
    }

    private static func elements(_ text: String) throws -> [Element] {
        let collector = Collector()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = collector
        #expect(parser.parse())
        return collector.elements
    }

    private final class Collector: NSObject, XMLParserDelegate {
        var elements: [Element] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append(Element(name: name, attributes: attributes))
        }
    }
}
