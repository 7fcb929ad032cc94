import Foundation
import Testing

@testable import XTLite

/// Classes that are searched, and those that are made of them.
@Suite struct SearchClassTests {
  @Test func subclasses_areSearchedByWhatTheyInheritOrDeclare() throws {
    let test = try TestDatabase()
    let (animals, dogs, cats) = (
      test.table(SearchAnimal.self), test.table(SearchDog.self), test.table(SearchCat.self)
    )
    try animals.insertList([animal(SearchAnimal(), "Rex")])
    let dog = animal(SearchDog(), "Rex")
    dog.trick = "rolls over"
    try dogs.insertList([dog])
    let cat = animal(SearchCat(), "Rex the cat")
    cat.lives = 9
    try cats.insertList([cat])

    #expect(try animals.search("rex").count == 1 && animals.search("cat").isEmpty)
    let hit = try #require(try dogs.search("rex rolls").first)
    #expect(hit.model.trick == "rolls over")
    #expect(hit.highlight(\.name) == "<b>Rex</b>" && hit.highlight(\.trick) == "<b>rolls</b> over")
    #expect(try dogs.search(query: .in(\SearchDog.trick, "rolls")).count == 1)
    #expect(try dogs.search(query: .in(\SearchAnimal.name, "rex")).count == 1)
    let found = try #require(try cats.search("cat").first?.model)
    #expect(found.lives == 9)
    found.name = "Tom"
    try cats.update(found)
    #expect(try cats.search("cat").isEmpty && cats.search("tom").count == 1)
    test.expectIndexFits(SearchAnimal.self)
    test.expectIndexFits(SearchDog.self)
    test.expectIndexFits(SearchCat.self)
  }

  private func animal<Animal: SearchAnimal>(_ animal: Animal, _ name: String) -> Animal {
    animal.name = name
    return animal
  }
}

class SearchAnimal: XTModel {
  var name = ""
  required init() {}
  class var xt_search: XTSearch { XTSearch([\SearchAnimal.name]) }
}

final class SearchDog: SearchAnimal {
  var trick = ""
  override class var xt_search: XTSearch { XTSearch([\SearchDog.name, \SearchDog.trick]) }
}

final class SearchCat: SearchAnimal {
  var lives = 0
}
