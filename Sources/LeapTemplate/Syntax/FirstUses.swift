/// The names that the outermost level of a template assigns before it reads them.
///
/// Jinja resolves each name once per level. If the first use of a name at the outermost level is an unconditional
/// assignment, the name is local to the template from the start, and loops and macros before the assignment see it as
/// undefined, even if the caller passed a variable of that name.
struct FirstUses {
    /// The number of loops, macros and blocks around the current position.
    var level = 0
    /// The number of branches around the current position.
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

    /// The names for which the caller's variables are ignored.
    var assignedFirst: Set<NameIndex> {
        Set(isAssignment.filter(\.value).keys)
    }
}
