import LeapEngine
import LeapGeneration

extension PrefixCacheConfiguration {
    /// What is kept of prompts: with `nil` as much in memory as the options' defaults say, and nothing on disk; nothing at
    /// all with options that are not enabled.
    ///
    /// The vendor's SDK kept nothing without options. Nothing that an app can see depends on it but the time to the first
    /// token.
    init(_ options: LiquidCacheOptions?) {
        guard let options else {
            self.init()
            return
        }
        guard options.enabled else {
            self.init(memory: .none)
            return
        }
        self.init(
            memory: PrefixCacheLimits(
                maxEntries: Int(clamping: options.maxEntriesMemory), maxBytes: Int(clamping: options.maxBytesMemory)))
        guard !options.diskDisabled else { return }
        let entries = [options.maxEntriesDisk, options.maxEntries].first { $0 > 0 }.map { Int($0) }
        disk = Disk(
            path: options.path, maxEntries: entries ?? Disk.defaultMaxEntries,
            maxBytes: options.maxBytesDisk.map { Int(clamping: $0) } ?? Disk.defaultMaxBytes)
    }
}
