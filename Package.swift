// swift-tools-version: 6.2
import PackageDescription

// One library over one of two engines. The default is the system's SQLite; the trait `SQLCipher`
// exchanges it for SQLCipher. Never both: they export the same symbols.
let package = Package(
  name: "XTLite",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "XTLite", targets: ["XTLite"])
  ],
  traits: [
    .trait(name: "SQLCipher", description: "Build over SQLCipher instead of the system's SQLite.")
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CSQLCipher",
      providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
    .target(
      name: "XTLite",
      dependencies: [
        .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
        "CSQLite",
      ]),
    .testTarget(
      name: "XTLiteTests",
      dependencies: ["XTLite", "FaultVFS", "TestProcess", "TortureWork", "TortureChild"]),
    // A disk that fails when a test says so, for either engine.
    .target(
      name: "FaultVFS", path: "Tests/FaultVFS",
      cSettings: [.define("XTLITE_SQLCIPHER", .when(traits: ["SQLCipher"]))]),
    // What the tests that try to break the library do in their own process and in others.
    .target(
      name: "TortureWork", dependencies: ["XTLite", "TestProcess"], path: "Tests/TortureWork"),
    // What the processes of the tests begin with, and how they look at themselves.
    .target(name: "TestProcess", path: "Tests/TestProcess"),
    .executableTarget(
      name: "TortureChild", dependencies: ["TortureWork"], path: "Tests/TortureChild"),
    // A program whose declarations are the main actor's unless they say otherwise.
    .testTarget(
      name: "XTLiteMainActorTests", dependencies: ["XTLite"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .executableTarget(name: "QuickStart", dependencies: ["XTLite"], path: "Samples/QuickStart"),
    .executableTarget(name: "UpgradeDemo", dependencies: ["XTLite"], path: "Samples/UpgradeDemo"),
    .executableTarget(
      name: "WorldData", dependencies: ["XTLite"], path: "Samples/WorldData",
      exclude: ["check.sh"]),
    .executableTarget(
      name: "Chinook", dependencies: ["XTLite"], path: "Samples/Chinook", exclude: ["check.sh"]),
    .executableTarget(
      name: "Notes", dependencies: ["XTLite"], path: "Samples/Notes", exclude: ["check.sh"]),
    .executableTarget(
      name: "Benchmarks", dependencies: ["XTLite"], path: "Samples/Benchmarks",
      exclude: ["chart.py", "ratios.svg"]),
  ],
  swiftLanguageModes: [.v6]
)
