// swift-tools-version: 6.2
import PackageDescription

// Programs that use XTLite from outside, each built and run by `make consumers`, in debug and in
// release. XTLITE is the folder of the package that they use.
let package = Package(
  name: "Consumers",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "XTLite", path: Context.environment["XTLITE"] ?? "../.."),
    .package(path: "Freight"),
  ],
  targets: [
    .executableTarget(
      name: "OtherModules",
      dependencies: ["Freight", .product(name: "XTLite", package: "XTLite")]),
    .executableTarget(
      name: "MainActorDefault", dependencies: [.product(name: "XTLite", package: "XTLite")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(
      name: "Isolation", dependencies: [.product(name: "XTLite", package: "XTLite")]),
    .executableTarget(
      name: "Streaming", dependencies: [.product(name: "XTLite", package: "XTLite")]),
    .executableTarget(
      name: "EarlyObservers", dependencies: [.product(name: "XTLite", package: "XTLite")]),
  ],
  swiftLanguageModes: [.v6]
)
