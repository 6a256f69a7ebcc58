/// All filters by name. A filter is a builtin whose first parameter is the filtered value.
enum FilterRegistry {
    static let all: [String: Builtin] = {
        let filters =
            TextFilters.all + MarkupFilters.all + SequenceFilters.all + SelectionFilters.all + NumberFilters.all
            + ConversionFilters.all
        var registry = Dictionary(uniqueKeysWithValues: filters.map { ($0.name, $0) })
        for (alias, name) in ["d": "default", "e": "escape", "count": "length"] { registry[alias] = registry[name] }
        return registry
    }()
}
