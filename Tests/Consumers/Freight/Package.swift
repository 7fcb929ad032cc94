// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Freight",
  products: [.library(name: "Freight", targets: ["Freight"])],
  targets: [.target(name: "Freight")],
  swiftLanguageModes: [.v6]
)
