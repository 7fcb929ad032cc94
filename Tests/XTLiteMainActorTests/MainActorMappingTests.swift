import Foundation
import Observation
import Testing
import XTLite

// Everything here is the main actor's by default, as in a program that says so in its settings.
// Nothing is marked but what has to be.

enum Mood: String, Codable { case happy, sad }

struct Address: Codable, Equatable {
  var city = ""
  var zip: Int?
}

struct Wheel: XTModel {
  var size = 16
}

struct Person: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0
  var nick: String?
  var mood = Mood.happy
  var home: Address?
  var tags: [String] = []
  var wheels: [Wheel] = []
  var observed = 0 {
    didSet { isSelected = true }
  }
  var isSelected = false

  static var xt_ignored: XTKeyPaths { [\Person.isSelected] }
  static var xt_keywords: XTKeywordMap { [\Person.name: .unique] }
}

final class Contact: XTModel {
  var name = ""
  var date: Date?
  lazy var initials = String(name.prefix(1))
  weak var friend: Contact?
}

class Vehicle: XTModel {
  var plate = ""
  required init() {}
  class var xt_indexes: [XTIndex] { [XTIndex(\Vehicle.plate)] }
}

nonisolated class Truck: Vehicle {
  var load = 0.0
}

@Observable final class Settings: XTModel {
  var theme = "light"
  var size = 12
}

struct Box<Value: Codable & Sendable>: XTModel {
  var value: Value?
}

@Suite struct MainActorMappingTests {
  let database: XTDatabase

  init() throws {
    database = try XTDatabase.inMemory()
  }

  @Test func struct_hasEveryVerb() throws {
    try database.asCurrent {
      var kobe = Person(name: "mamba", age: 24)
      kobe.home = Address(city: "LA")
      kobe.wheels = [Wheel(size: 20)]
      kobe.observed = 5
      try kobe.xt_insert()
      #expect(kobe.pkid == 1)
      kobe.age += 1
      try kobe.xt_update()
      let read = try #require(try Person.xt_findFirstWhere(\.name == "mamba" && \.age > 17))
      #expect(read.age == 25)
      #expect(read.home == Address(city: "LA"))
      #expect(read.wheels.map(\.size) == [20])
      #expect(read.mood == .happy)
      #expect(read.observed == 5)
      #expect(!read.isSelected)
      #expect(try Person.xt_countWhere(\.observed == 5 && \.mood == .happy) == 1)
      #expect(try Person.xt_maxOf(\.age) == 25)
      #expect(try Person.xt_upsertList([read], by: \.name) == [.updated(pkids: [1])])
      #expect(try kobe.xt_deleteModel())
    }
  }

  @Test func classes_haveEveryVerb() throws {
    try database.asCurrent {
      let contact = Contact()
      contact.name = "Ann"
      contact.date = Date(timeIntervalSince1970: 5)
      try contact.xt_insert()
      #expect(contact.pkid == 1)
      #expect(try Contact.xt_findFirst()?.initials == "A")
      #expect(try Contact.xt_countWhere(\.date == Date(timeIntervalSince1970: 5)) == 1)
      let truck = Truck()
      truck.plate = "T"
      truck.load = 2.5
      try (truck as Vehicle).xt_insert()
      #expect(try Truck.xt_findFirstWhere(\.plate == "T" && \.load == 2.5)?.load == 2.5)
      #expect(try Vehicle.xt_count() == 0)
      let settings = Settings()
      settings.theme = "dark"
      try settings.xt_insert()
      #expect(try Settings.xt_findFirstWhere(\.theme == "dark")?.size == 12)
    }
  }

  @Test func genericStruct_hasATable() throws {
    let table = database.table(Box<Int>.self)
    try table.insertList([Box(value: 5)])
    #expect(try table.findFirst()?.value == 5)
    #expect(try table.name == "Box_Int")
  }

  @Test func models_goThroughAsyncBlocks() async throws {
    let database = database
    let names = try await database.transaction {
      let table = database.table(Person.self)
      try table.insertList([Person(name: "a"), Person(name: "b")])
      return try table.findAll(orderBy: .asc(\.name)).map(\.name)
    }
    #expect(names == ["a", "b"])
  }

  @Test func mapping_isMadeOffTheMainActorToo() async throws {
    let database = database
    let count = try await Task.detached {
      let table = database.table(Contact.self)
      let contact = Contact()
      contact.name = "off"
      try table.insert(contact)
      return try table.count(where: \.name == "off")
    }.value
    #expect(count == 1)
  }
}
