import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Values nested deeply, and those that contain themselves: right or an error, never a crash.
  @Suite struct NestingTests {
    private func refusal<Value: Defaulted>(
      of value: Value, in file: TestDatabase, _ location: SourceLocation = #_sourceLocation
    ) throws -> XTError? {
      let table = file.table(One<Value>.self)
      try table.create()
      let error = mappingError(location) { try table.insertList([One(value)]) }
      #expect(error?.kind == .valueOutOfRange, sourceLocation: location)
      #expect(error?.column == "value", sourceLocation: location)
      #expect(try table.count() == 0, sourceLocation: location)
      return error
    }

    @Test(arguments: [1, 63, 64, 65, 100, 150, 199])
    func linkedObjects_thatAreDeep_comeBack(_ depth: Int) throws {
      let file = try TestDatabase()
      let read = try file.roundTrip([Link.chain(depth)])
      #expect(read[0].length == depth)
      #expect(try file.roundTrip([Link.chain(depth), nil] as [Link?])[0]?.length == depth)
    }

    @Test func indirectEnum_thatIsDeep_comesBack() throws {
      let file = try TestDatabase()
      let read = try file.roundTrip([Nest.of(120)])
      #expect(read == [Nest.of(120)])
    }

    @Test(arguments: [100, 398])
    func json_thatIsDeep_comesBack(_ depth: Int) throws {
      let file = try TestDatabase()
      var json: XTJSON = 5
      for level in 0..<depth { json = level.isMultiple(of: 2) ? [json] : ["a": json] }
      #expect(try file.roundTrip([json]) == [json])
    }

    @Test func deepValues_onASmallStack_comeBack() async throws {
      let file = try TestDatabase()
      // As small as that of a thread that is not the main one, on Apple's systems.
      let json = (0..<390).reduce(XTJSON.integer(5)) { json, _ in [json] }
      let result = await withCheckedContinuation { continuation in
        let thread = Thread {
          continuation.resume(
            returning: Result {
              let back = try file.roundTrip([json])
              let links = try file.roundTrip([Link.chain(390)])[0].length
              let models = try file.roundTrip([[DeepModel.chain(190)]])[0][0].length
              return (back, links, models)
            })
        }
        thread.stackSize = 512 << 10
        thread.start()
      }
      let (back, links, models) = try result.get()
      #expect(back == [json])
      #expect(links == 390)
      #expect(models == 190)
    }

    @Test(arguments: [401, 5_000])
    func values_tooDeep_areRefused(_ depth: Int) throws {
      let file = try TestDatabase()
      let links = try refusal(of: Link.chain(depth), in: file)
      #expect(links?.message.contains("400 levels") == true)
      #expect(try refusal(of: Nest.of(depth), in: file)?.message.contains("400") == true)
      var json: XTJSON = 5
      for _ in 0..<depth { json = [json] }
      #expect(try refusal(of: json, in: file)?.message.contains("400") == true)
      #expect(try refusal(of: ["a": json], in: file)?.message.contains("400") == true)
      #expect(try refusal(of: Set([json]), in: file)?.message.contains("400") == true)
      let models = try refusal(of: [DeepModel.chain(depth)], in: file)
      #expect(models?.message.contains("400") == true)
    }

    @Test(arguments: [401, 513, 100_000])
    func text_thatIsTooDeep_throwsOnRead(_ depth: Int) throws {
      let file = try TestDatabase()
      func read<Value: Defaulted>(_: Value.Type) throws -> XTError? {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        return mappingError { try file.read("'\(text)'", as: Value.self) }
      }
      if depth > 512 {
        #expect(try read(XTJSON.self)?.kind == .decoding)
        #expect(try read([Int].self)?.kind == .decoding)
      }
      #expect(try read([DeepModel].self)?.kind == .decoding)
    }

    @Test func text_withBracketsInStrings_isNotDeep() throws {
      let texts = [String(repeating: "[{", count: 2_000), "\\\"[", "]]]]\"\\"]
      #expect(try TestDatabase().roundTrip([texts]) == [texts])
    }

    // MARK: Cycles

    @Test func object_thatReachesItself_isRefused() throws {
      let file = try TestDatabase()
      let link = Link.chain(3)
      link.next?.next?.next = link
      let error = try refusal(of: link, in: file)
      #expect(error?.message.contains("contains itself") == true)
      #expect(error?.message.contains("Link") == true)
      #expect(error?.hint?.contains("CodingKeys") == true)
      #expect(try refusal(of: Link?.some(link), in: file) != nil)
      #expect(try refusal(of: [link], in: file) != nil)
      #expect(try refusal(of: ["a": link], in: file) != nil)
      #expect(try refusal(of: Holder(any: link), in: file) != nil)
      let own = Link.chain(1)
      own.next = own
      #expect(try refusal(of: own, in: file)?.message.contains("contains itself") == true)
      #expect(mappingError { try file.table(One<Link>.self).find(where: \.value == link) } != nil)
      // Or the test itself would leak.
      link.next?.next?.next = nil
      own.next = nil
    }

    @Test func object_thatIsReachedTwice_isNoCycle() throws {
      let shared = Link.chain(2)
      let read = try TestDatabase().roundTrip([[shared, shared]])
      #expect(read[0].map(\.length) == [2, 2])
    }

    @Test func parent_outsideOfCodingKeys_isNoCycle() throws {
      let tree = Tree(name: "root")
      tree.children = [Tree(name: "a"), Tree(name: "b")]
      for child in tree.children { child.parent = tree }
      tree.strongParent = tree
      let file = try TestDatabase()
      let read = try file.roundTrip([tree])
      #expect(read[0].children.map(\.name) == ["a", "b"])
      tree.strongParent = nil
    }

    @Test func model_thatReachesItself_isRefused() throws {
      let file = try TestDatabase()
      let node = GraphModel()
      node.others = [GraphModel(), node]
      let error = try refusal(of: [node], in: file)
      #expect(error?.message.contains("contains itself") == true)
      #expect(error?.message.contains("GraphModel") == true)
      #expect(error?.hint?.contains("xt_ignored") == true)
      let other = GraphModel()
      other.byName = ["back": node]
      node.others = []
      node.next = other
      #expect(try refusal(of: [node], in: file)?.message.contains("contains itself") == true)
      // As a row of its own table, too.
      #expect(
        mappingError { try file.table(GraphModel.self).insert(node) }?.kind == .valueOutOfRange)
      #expect(try file.table(GraphModel.self).count() == 0)
      node.next = nil
      #expect(try file.roundTrip([[node, node]])[0].count == 2)
    }

    @Test func models_thatAreDeep_comeBack() throws {
      let file = try TestDatabase()
      let table = file.table(DeepModel.self)
      var deep = DeepModel.chain(150)
      try table.insert(&deep)
      #expect(try table.findFirst()?.length == 150)
    }
  }
}

private final class Link: Codable, Defaulted {
  var next: Link?

  var length: Int {
    var length = 1
    var link = next
    while let here = link {
      length += 1
      link = here.next
    }
    return length
  }

  static func chain(_ length: Int) -> Link {
    var link = Link()
    for _ in 1..<length {
      let outer = Link()
      outer.next = link
      link = outer
    }
    return link
  }

  deinit {
    // One by one, or the release of a long chain needs more stack than there is.
    var link = next
    next = nil
    while let here = link, isKnownUniquelyReferenced(&link) {
      link = here.next
      here.next = nil
    }
  }
}

private struct Holder: Codable, Defaulted {
  var any: Link?
}

private indirect enum Nest: Codable, Equatable, Defaulted {
  case end
  case inside(Nest)

  init() { self = .end }

  static func of(_ depth: Int) -> Nest { (0..<depth).reduce(Nest.end) { nest, _ in .inside(nest) } }
}

private final class Tree: Codable, Defaulted {
  var name = ""
  var children: [Tree] = []
  weak var parent: Tree?
  var strongParent: Tree?

  init() {}
  init(name: String) { self.name = name }

  enum CodingKeys: CodingKey { case name, children }
}

private struct DeepModel: XTModel, Defaulted {
  var pkid: Int64?
  var inner: [DeepModel] = []

  var length: Int {
    var length = 1
    var model = self
    while let inner = model.inner.first {
      length += 1
      model = inner
    }
    return length
  }

  static func chain(_ length: Int) -> DeepModel {
    (1..<length).reduce(DeepModel()) { model, _ in
      var outer = DeepModel()
      outer.inner = [model]
      return outer
    }
  }
}

private final class GraphModel: XTModel {
  var others: [GraphModel] = []
  var byName: [String: GraphModel] = [:]
  var next: GraphModel?
}
