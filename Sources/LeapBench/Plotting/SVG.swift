import Foundation

/// A drawing as text, in user units of a pixel. Colours come from classes, so that they follow the reader's light or
/// dark surroundings.
struct SVG {
    enum Anchor: String { case start, middle, end }

    let width: Double
    let height: Double
    private var body = ""

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) {
        body += #"<rect x="\#(Self.number(x))" y="\#(Self.number(y))" width="\#(Self.number(width))" "#
        body += #"height="\#(Self.number(height))" class="\#(style)"/>"# + "\n"
    }

    mutating func line(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ style: String) {
        body += #"<line x1="\#(Self.number(from.x))" y1="\#(Self.number(from.y))" x2="\#(Self.number(to.x))" "#
        body += #"y2="\#(Self.number(to.y))" class="\#(style)"/>"# + "\n"
    }

    mutating func circle(_ center: (x: Double, y: Double), radius: Double, _ style: String) {
        body += #"<circle cx="\#(Self.number(center.x))" cy="\#(Self.number(center.y))" r="\#(Self.number(radius))" "#
        body += #"class="\#(style)"/>"# + "\n"
    }

    mutating func text(
        _ text: String, _ x: Double, _ y: Double, _ style: String = "text", anchor: Anchor = .start,
        turned: Bool = false
    ) {
        let turn = turned ? #" transform="rotate(-90 \#(Self.number(x)) \#(Self.number(y)))""# : ""
        body += #"<text x="\#(Self.number(x))" y="\#(Self.number(y))" text-anchor="\#(anchor.rawValue)" "#
        body += #"class="\#(style)"\#(turn)>\#(Self.escaped(text))</text>"# + "\n"
    }

    /// The whole file.
    var document: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width))" height="\(Self.number(height))" \
        viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img">
        <style>
        \(Self.styles)
        </style>
        \(body)</svg>

        """
    }

    private static let styles = """
        text { font-family: system-ui, "DejaVu Sans", sans-serif; }
        .page { fill: #ffffff; }
        .title { fill: #1f2328; font-size: 16px; font-weight: 600; }
        .text { fill: #1f2328; font-size: 12px; }
        .note { fill: #59636e; font-size: 11px; }
        .grid { stroke: #d1d9e0; stroke-width: 1; }
        .roof { stroke: #1f2328; stroke-width: 2; }
        .lower { stroke: #818b98; stroke-width: 1.5; stroke-dasharray: 5 3; }
        .decode { fill: #0969da; }
        .prefill { fill: #bc4c00; }
        .number { fill: #ffffff; font-size: 10px; font-weight: 600; }
        .track { fill: #eff2f5; }
        @media (prefers-color-scheme: dark) {
        .page { fill: #0d1117; }
        .title, .text { fill: #f0f6fc; }
        .note { fill: #9198a1; }
        .grid { stroke: #3d444d; }
        .roof { stroke: #f0f6fc; }
        .lower { stroke: #9198a1; }
        .decode { fill: #4493f8; }
        .prefill { fill: #f0883e; }
        .number { fill: #0d1117; }
        .track { fill: #212830; }
        }
        """

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
