import Foundation

extension Folder {
    /// Removes what processes left that were killed while they wrote a small file or made a link: `.NAME.UNIQUE`. One that is
    /// younger than a minute may belong to a process that lives.
    func removeLeftovers() {
        // What cannot be listed or looked at now will be there the next time.
        for name in (try? names()) ?? [] where Self.isTemporary(name) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
            guard let date = attributes?[.modificationDate] as? Date, date < Date.now.addingTimeInterval(-60) else {
                continue
            }
            remove(name)
        }
    }

    private static func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return UUID(uuidString: String(name[dot...].dropFirst())) != nil
    }
}
