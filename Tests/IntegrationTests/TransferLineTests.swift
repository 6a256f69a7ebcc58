import Testing

@testable import LeapHub
@testable import LeapToolSupport

/// The progress line of a download.
@Suite struct TransferLineTests {
    private let progress = TransferProgress(bytes: 1_200_000_000, total: 2_900_000_000, bytesPerSecond: 85_000_000)

    @Test(
        "A narrow terminal drops the bar first, then the rate, then the amount",
        arguments: [
            (80, "LFM2-1.2B:Q4_K_M  41% ▕████████▎           ▏  1.2 GB/2.9 GB  85.0 MB/s  20s"),
            (70, "LFM2-1.2B:Q4_K_M  41% ▕████▏     ▏  1.2 GB/2.9 GB  85.0 MB/s  20s"),
            (60, "LFM2-1.2B:Q4_K_M  41%  1.2 GB/2.9 GB  85.0 MB/s  20s"),
            (45, "LFM2-1.2B:Q4_K_M  41%  1.2 GB/2.9 GB  20s"), (40, "LFM2-1.2B:Q4_K_M  41%  20s"),
            (20, "LFM2-1.2B…  41%  20s"), (5, "…  41%  20s"),
        ])
    func fits(columns: Int, text: String) {
        #expect(TransferLine.text("LFM2-1.2B:Q4_K_M", progress, columns: columns) == text)
        if columns > 12 { #expect(text.count <= columns) }
    }

    @Test(
        "A progress bar on a narrow terminal drops the bar first, then the note, then the counts, but not the time",
        arguments: [
            (65, "quantise  25% ▕█████               ▏ 1/4  blk.0.weight 30s"),
            (50, "quantise  25% ▕██▌       ▏ 1/4  blk.0.weight 30s"), (40, "quantise  25% 1/4  blk.0.weight 30s"),
            (30, "quantise  25% 1/4 30s"), (20, "quantise  25% 30s"), (15, "quant…  25% 30s"),
        ])
    func barFits(columns: Int, text: String) {
        let line = ProgressBar("quantise", total: 4)
            .line(1, note: "blk.0.weight", elapsed: .seconds(10), columns: columns)
        #expect(line == text)
        #expect(line.columns <= columns)
    }

    @Test("Labels are cut by the columns that they take")
    func wide() {
        #expect(TransferLine.text("模型模型模型模型", progress, columns: 20) == "模型模型…  41%  20s")
        #expect("日本語".columns == 6 && "日本語".prefix(columns: 5) == "日本")
    }

    @Test(
        "A line is cleared with the rows above, if the terminal has become narrower",
        arguments: [
            (nil, "\r\u{1B}[J"), (79, "\r\u{1B}[J"), (80, "\r\u{1B}[J"), (81, "\u{1B}[1A\r\u{1B}[J"),
            (200, "\u{1B}[2A\r\u{1B}[J"),
        ] as [(Int?, String)])
    func cleared(shown: Int?, output: String) {
        #expect(StatusLine.cleared(shown, columns: 80) == output)
    }

    @Test("An unknown total size is omitted, and the remaining time has a suitable unit")
    func others() {
        var progress = TransferProgress(bytes: 1500, total: nil, bytesPerSecond: 10)
        #expect(TransferLine.text("a", progress) == "a  1.5 KB  10 B/s")
        #expect(TransferLine.text("a", progress, columns: 10) == "a  1.5 KB")
        for (total, left) in [(Int64(2690), "119s"), (2700, "2m"), (73_490, "119m"), (112_500, "3h5m")] {
            progress.total = total
            #expect(TransferLine.text("a", progress).hasSuffix("  10 B/s  \(left)"))
        }
        progress.total = 1500
        #expect(TransferLine.text("a", progress).hasSuffix("  1.5 KB/1.5 KB  10 B/s"))
    }
}
