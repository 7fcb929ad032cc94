import Foundation

#if canImport(UIKit)
  import UIKit
#elseif canImport(AppKit)
  import AppKit
#endif

extension ColumnType {
  /// The codec of a type that a column holds as one plain value, though XTLite has no field kind of
  /// its own for it: the user's own types, and every enum (or option set) with a raw value.
  static func scalarCodec(_ type: Any.Type) -> (any FieldCodec)? {
    if let own = type as? any XTColumnValue.Type { return codec(of: own) }
    if type == CGFloat.self {
      return ValueCodec(
        FunctionCoder<CGFloat>(
          .real, encode: { try ValueCoding.value(of: Double($0)) },
          decode: { CGFloat(try ValueCoding.decode($0, as: Double.self)) }))
    }
    if let raw = type as? any RawRepresentable.Type { return codec(ofRaw: raw) }
    return imageCodec(type)
  }

  private static func codec<Own: XTColumnValue>(of type: Own.Type) -> any FieldCodec {
    ValueCodec(OwnCoder<Own>())
  }

  private static func codec<Raw: RawRepresentable>(ofRaw type: Raw.Type) -> (any FieldCodec)? {
    guard let raw = try? of(Raw.RawValue.self), !raw.isOptional, !raw.isJSON else { return nil }
    return ValueCodec(RawCoder<Raw>(storageClass: raw.storageClass, isDecimal: raw.isDecimal))
  }

  /// Images are kept as PNG, without loss; what the density of the pixels is stands in the file
  /// too.
  private static func imageCodec(_ type: Any.Type) -> (any FieldCodec)? {
    #if canImport(UIKit) && !os(watchOS)
      guard type == UIImage.self else { return nil }
      return ValueCodec(
        FunctionCoder<UIImage>(
          .blob,
          encode: { image in
            guard let source = image.cgImage,
              let png = PNGImage.data(source, dotsPerInch: 72 * Double(image.scale))
            else { throw ColumnFailure.notStorable("the image has no pixels to keep as PNG") }
            return .blob(png)
          },
          decode: { value in
            guard case .blob(let data) = value, let (image, dotsPerInch) = PNGImage.read(data)
            else {
              throw ColumnFailure.mismatch(value, "UIImage")
            }
            return UIImage(
              cgImage: image, scale: max(1, (dotsPerInch / 72).rounded()), orientation: .up)
          }))
    #elseif canImport(AppKit)
      guard type == NSImage.self else { return nil }
      return ValueCodec(
        FunctionCoder<NSImage>(
          .blob,
          encode: { image in
            guard let source = image.cgImage(forProposedRect: nil, context: nil, hints: nil),
              image.size.width > 0,
              let png = PNGImage.data(
                source, dotsPerInch: 72 * Double(source.width) / Double(image.size.width))
            else { throw ColumnFailure.notStorable("the image has no pixels to keep as PNG") }
            return .blob(png)
          },
          decode: { value in
            guard case .blob(let data) = value, let (image, dotsPerInch) = PNGImage.read(data)
            else {
              throw ColumnFailure.mismatch(value, "NSImage")
            }
            let points = 72 / max(1, dotsPerInch)
            return NSImage(
              cgImage: image,
              size: NSSize(
                width: Double(image.width) * points, height: Double(image.height) * points))
          }))
    #else
      return nil
    #endif
  }
}

/// The user's own types.
private struct OwnCoder<Value: XTColumnValue>: ValueCoder {
  var storageClass: XTStorageClass { Value.xt_storageClass }

  func encode(_ value: Value) throws -> XTValue { try value.xt_columnValue }

  func decode(_ value: XTValue) throws -> Value {
    do {
      return try Value(xt_columnValue: value)
    } catch let error as XTError {
      throw error
    } catch {
      var failure = ColumnFailure.mismatch(value, TypeName.display(Value.self))
      failure.message += ": \(error)"
      throw failure
    }
  }
}

/// Types with a raw value, by that value.
private struct RawCoder<Value: RawRepresentable>: ValueCoder {
  let storageClass: XTStorageClass
  let isDecimal: Bool

  func encode(_ value: Value) throws -> XTValue { try ValueCoding.value(of: value.rawValue) }

  func decode(_ value: XTValue) throws -> Value {
    guard let known = Value(rawValue: try ValueCoding.decode(value)) else {
      var failure = ColumnFailure.mismatch(value, TypeName.display(Value.self))
      failure.hint = "the file holds a raw value that this build does not have a case for"
      throw failure
    }
    return known
  }
}

#if canImport(ImageIO)
  import ImageIO

  private enum PNGImage {
    static func data(_ image: CGImage, dotsPerInch: Double) -> Data? {
      let data = NSMutableData()
      guard
        let destination = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
      else { return nil }
      let properties: [CFString: Any] = [
        kCGImagePropertyDPIWidth: dotsPerInch, kCGImagePropertyDPIHeight: dotsPerInch,
      ]
      CGImageDestinationAddImage(destination, image, properties as CFDictionary)
      return CGImageDestinationFinalize(destination) ? data as Data : nil
    }

    static func read(_ data: Data) -> (CGImage, dotsPerInch: Double)? {
      guard let source = CGImageSourceCreateWithData(data as CFData, nil),
        let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
      else { return nil }
      let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
      return (image, properties?[kCGImagePropertyDPIWidth] as? Double ?? 72)
    }
  }
#endif
