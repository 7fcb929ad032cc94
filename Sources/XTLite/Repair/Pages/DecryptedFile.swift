/// The pages of an encrypted file as the trees have them. Read page by page.
final class DecryptedFile: ByteFile {
  private let file: any ByteFile
  private let found: PagedFile.FoundCipher

  init(_ file: any ByteFile, _ found: PagedFile.FoundCipher) {
    self.file = file
    self.found = found
  }

  var size: Int { file.size }

  /// - Parameters:
  ///   - offset: Where a page begins.
  ///   - count: A page's size.
  func read(at offset: Int, count: Int) -> [UInt8]? {
    guard offset % found.pageSize == 0, count == found.pageSize,
      let bytes = file.read(at: offset, count: count)
    else { return nil }
    return found.cipher.decrypt(bytes, page: offset / found.pageSize + 1)
  }
}
