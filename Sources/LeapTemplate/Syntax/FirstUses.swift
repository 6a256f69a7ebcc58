/// Which names the outermost level of a template assigns before it reads them.
///
/// Jinja decides once per level where a name lives. If the first thing that the outermost level does with a name is to
/// assign it, unconditionally, then the name is the template's own from the start, and loops and macros that come
/// before the assignment see it undefined, even if the caller passed a variable of that name.
struct FirstUses {
    /// How many loops, macros and blocks surround the current place.
    var level = 0
    /// How many branches do.
    var branches = 0
    private var isAssignment: [NameIndex: Bool] = [:]

    mutating func read(_ name: NameIndex) {
        if level == 0, isAssignment[name] == nil { isAssignment[name] = false }
    }

    mutating func assign(_ name: NameIndex) {
        if level == 0, isAssignment[name] == nil { isAssignment[name] = branches == 0 }
    }

    mutating func assign(_ target: Target) {
        switch target {
        case .name(let name): assign(name)
        case .attribute(let namespace, _): read(namespace)
        case .tuple(let targets): for target in targets { assign(target) }
        }
    }

    /// The names that the caller's variables do not reach.
    var assignedFirst: Set<NameIndex> {
        Set(isAssignment.filter(\.value).keys)
    }
}
