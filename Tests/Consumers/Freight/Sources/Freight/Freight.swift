// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Types of a module that has never heard of XTLite.

public struct Parcel: Equatable {
  public var code = ""
  public var grams = 0
  public private(set) var isOpen = false
  public var size: Size?
  public var labels: [String] = []
  public let kind: String
  private var seal = "unbroken"

  public init() { kind = "parcel" }

  public init(code: String, grams: Int) {
    self.init()
    self.code = code
    self.grams = grams
  }

  public mutating func open() {
    isOpen = true
    seal = "broken"
  }

  public var sealState: String { seal }
}

public struct Size: Codable, Equatable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

public final class Crate {
  public var label = ""
  public var weight: Double?
  var stamps = ["new"]

  public init() {}

  public func stamp(_ text: String) { stamps.append(text) }
  public var allStamps: [String] { stamps }
}

open class Container {
  public var number = 0
  public var owner: String? { didSet { changes += 1 } }
  public private(set) var changes = 0

  public required init() {}
}

open class Reefer: Container {
  public var degrees = -18.0
}
