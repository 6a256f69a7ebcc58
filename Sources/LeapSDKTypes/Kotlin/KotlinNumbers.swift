// Versions 0.10 of the API came from Kotlin and boxed numbers: `KotlinInt(int: 4)`. Here the boxes are the numbers.

/// A Kotlin `Int`.
public typealias KotlinInt = Int32
/// A Kotlin `UInt`.
public typealias KotlinUInt = UInt32
/// A Kotlin `Long`.
public typealias KotlinLong = Int64
/// A Kotlin `ULong`.
public typealias KotlinULong = UInt64
/// A Kotlin `Float`.
public typealias KotlinFloat = Float
/// A Kotlin `Double`.
public typealias KotlinDouble = Double
/// A Kotlin `Boolean`.
public typealias KotlinBoolean = Bool

extension Int {
    /// The number itself, for code that expects a ``KotlinInt``.
    public var intValue: Int { self }
    /// The number as an `Int32`, clamped to its range, for code that expects a ``KotlinInt``.
    public var int32Value: Int32 { Int32(clamping: self) }
}

extension Int32 {
    /// Creates the number itself; see ``KotlinInt``.
    public init(int: Int32) { self = int }
    /// Creates the number itself; see ``KotlinInt``.
    public init(value: Int32) { self = value }
    /// The number itself; see ``KotlinInt``.
    public var int32Value: Int32 { self }
    /// The number as an `Int`; see ``KotlinInt``.
    public var intValue: Int { Int(self) }
}

extension UInt32 {
    /// Creates the number itself; see ``KotlinUInt``.
    public init(unsignedInt: UInt32) { self = unsignedInt }
    /// Creates the number itself; see ``KotlinUInt``.
    public init(value: UInt32) { self = value }
    /// Creates the number itself; see ``KotlinUInt``.
    public var uint32Value: UInt32 { self }
}

extension Int64 {
    /// The number itself; see ``KotlinLong``.
    public init(longLong: Int64) { self = longLong }
    /// The number itself; see ``KotlinLong``.
    public init(value: Int64) { self = value }
    /// The number itself; see ``KotlinLong``.
    public var int64Value: Int64 { self }
}

extension UInt64 {
    /// The number itself; see ``KotlinULong``.
    public init(unsignedLongLong: UInt64) { self = unsignedLongLong }
    /// The number itself; see ``KotlinULong``.
    public init(value: UInt64) { self = value }
    /// The number itself; see ``KotlinULong``.
    public var uint64Value: UInt64 { self }
}

extension Float {
    /// The number itself; see ``KotlinFloat``.
    public init(float: Float) { self = float }
    /// The number itself; see ``KotlinFloat``.
    public init(value: Float) { self = value }
    /// The number itself; see ``KotlinFloat``.
    public var floatValue: Float { self }
}

extension Double {
    /// The number itself; see ``KotlinDouble``.
    public init(double: Double) { self = double }
    /// The number itself; see ``KotlinDouble``.
    public init(value: Double) { self = value }
    /// The number itself; see ``KotlinDouble``.
    public var doubleValue: Double { self }
}

extension Bool {
    /// The value itself; see ``KotlinBoolean``.
    public init(bool: Bool) { self = bool }
    /// The value itself; see ``KotlinBoolean``.
    public init(value: Bool) { self = value }
    /// The value itself; see ``KotlinBoolean``.
    public var boolValue: Bool { self }
}
