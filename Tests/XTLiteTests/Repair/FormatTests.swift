import Foundation
import Testing
import TortureWork

@testable import XTLite

/// Bytes in memory in place of a file.
final class BytesFile: ByteFile {
  let bytes: [UInt8]
  var size: Int { bytes.count }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    return Array(bytes.dropFirst(offset).prefix(count))
  }
}

// Plain files are what it is about, also where every other database of the tests is encrypted.
@Suite(.enabled(if: !TestKey.isSet)) struct FormatTests {
  @Test func varint_of_each_length_is_read() {
    let cases: [([UInt8], UInt64)] = [
      ([0x00], 0), ([0x7F], 127), ([0x81, 0x00], 128), ([0xFF, 0x7F], 16_383),
      ([0x81, 0x80, 0x00], 16_384),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .max),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x05], 5),
    ]
    for (bytes, value) in cases {
      #expect(bytes.varint(at: 0)?.value == value)
      #expect(bytes.varint(at: 0)?.length == bytes.count)
      // Cut short it is none.
      #expect(Array(bytes.dropLast()).varint(at: 0) == nil || bytes.count == 1)
    }
    #expect([UInt8]().varint(at: 0) == nil)
    #expect([UInt8](repeating: 0xFF, count: 20).varint(at: -1) == nil)
  }

  @Test func integers_of_each_length_keep_their_sign() {
    #expect([UInt8]([0xFF]).integer(at: 0, length: 1) == -1)
    #expect([UInt8]([0x80, 0x00, 0x00]).integer(at: 0, length: 3) == -8_388_608)
    #expect([UInt8]([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]).integer(at: 0, length: 6) == 1 << 47 - 1)
    #expect([UInt8]([1, 2]).integer(at: 1, length: 2) == nil)
  }

  @Test func record_whose_types_say_more_than_its_bytes_is_none() throws {
    // NULL, 1, "hi", 2 bytes.
    let bytes: [UInt8] = [5, 0, 9, 17, 16, 104, 105, 7, 8]
    let record = try #require(Record(bytes))
    #expect(record.types == [0, 9, 17, 16])
    #expect(record.integer(1) == 1)
    #expect(record.text(2, .utf8) == "hi")
    #expect(Record(bytes + [0]) == nil)
    #expect(Record(Array(bytes.dropLast())) == nil)
    // A type that SQLite keeps for itself, and a header longer than all.
    #expect(Record([2, 10]) == nil)
    #expect(Record([99, 0]) == nil)
    #expect(Record([0]) == nil)
    #expect(Record([]) == nil)
  }

  @Test func texts_of_each_encoding_are_read_and_bad_ones_seen() {
    #expect(TextEncoding.utf8.decode([0xC3, 0xA9][...]).text == "é")
    #expect(
      TextEncoding.utf16LittleEndian.decode([0xE9, 0, 0x3D, 0xD8, 0, 0xDE][...]).text == "é😀")
    #expect(TextEncoding.utf16BigEndian.decode([0, 0xE9][...]).text == "é")
    #expect(!TextEncoding.utf8.decode([0x61, 0xE9][...]).isWhole)
    #expect(!TextEncoding.utf16BigEndian.decode([0xD8, 0x3D][...]).isWhole)
    #expect(!TextEncoding.utf16LittleEndian.decode([0x61, 0, 0x62][...]).isWhole)
  }

  @Test func every_page_that_sqlite_writes_is_sound_and_an_overlap_is_not() throws {
    let file = try SalvageFile(rows: 2_000)
    let opened = try file.opened()
    var trees = 0
    for number in 1..<(opened.store.pageCount + 1) {
      guard let page = opened.store.tree(number), page.cellCount > 0,
        file.rows[number]?.isEmpty == false || page.kind.isLeaf
      else { continue }
      if page.isSound { trees += 1 }
      if page.kind == .tableLeaf, page.isSound, page.cellCount > 1 {
        var bytes = page.bytes
        // The first cell's place becomes the second's.
        bytes[page.start + 8] = bytes[page.start + 10]
        bytes[page.start + 9] = bytes[page.start + 11]
        #expect(BTreePage(bytes, number: number, usable: page.usable)?.isSound == false)
      }
    }
    let leaves = Set(file.rows.keys).filter { opened.store.tree($0)?.isSound == true }
    #expect(trees >= leaves.count && leaves.count > 30)
  }

  @Test func garbage_is_no_page_of_a_tree() {
    var numbers = SeededNumbers(1)
    for _ in 0..<2_000 {
      var bytes = numbers.bytes(512)
      bytes[0] = [2, 5, 10, 13][Int(numbers.next() % 4)]
      let page = BTreePage(bytes, number: 2, usable: 512)
      #expect(page?.isSound != true || page?.cellCount == 0)
      for index in 0..<(page?.cellCount ?? 0) {
        _ = page?.cell(index)
        _ = page?.child(index)
        _ = page?.rowID(index)
      }
    }
  }

  @Test func log_gives_the_newest_committed_copy_of_each_page() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.sqlite")
    var settings = ConnectionSettings(path: path)
    settings.synchronous = "off"
    let connection = try Connection(settings)
    defer { connection.close() }
    try connection.executeScript(
      """
      PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a);
      INSERT INTO t VALUES ('one'); UPDATE t SET a = 'two';
      """)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    let index = try #require(LogIndex(BytesFile(bytes), pageSize: nil) {})
    let frame = try #require(index.frames[2])
    #expect(index.pageCount == 2 && index.damagedFrames == 0)
    func text(_ bytes: [UInt8], _ offset: Int) -> String {
      String(decoding: bytes[offset..<(offset + 4096)].suffix(3), as: UTF8.self)
    }
    #expect(text(bytes, frame.offset) == "two")
    // Without the last frame the change was never committed.
    let shorter = try #require(
      LogIndex(BytesFile(Array(bytes.dropLast(4_000))), pageSize: nil) {})
    #expect(text(bytes, try #require(shorter.frames[2]).offset) == "one")
    var torn = bytes
    torn[bytes.count - 100] ^= 1
    let doubtful = try #require(LogIndex(BytesFile(torn), pageSize: nil) {})
    #expect(text(bytes, try #require(doubtful.frames[2]).offset) == "one")
    #expect(doubtful.endsInDoubt && !index.endsInDoubt)
    // A page of the first transaction that is damaged makes no later one worthless.
    var damaged = bytes
    damaged[32 + 24 + 2_000] ^= 0x10
    let rest = try #require(LogIndex(BytesFile(damaged), pageSize: nil) {})
    #expect(text(bytes, try #require(rest.frames[2]).offset) == "two")
    // Nor does a header that is gone.
    for position in 0..<32 { damaged[position] = 0 }
    let headless = try #require(LogIndex(BytesFile(damaged), pageSize: 4096) {})
    #expect(text(bytes, try #require(headless.frames[2]).offset) == "two")
    #expect(LogIndex(BytesFile(damaged), pageSize: nil) {} == nil)
  }
}
