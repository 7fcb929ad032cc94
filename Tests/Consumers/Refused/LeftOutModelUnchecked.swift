// error: value of optional type 'Person?' must be unwrapped to refer to member 'name' of wrapped base type 'Person'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func names() throws -> [String] {
  let other = Person.xt.as("other")
  let pairs = try Person.xt_leftJoin(other, on: Person.xt.age == other.age).all()
  return pairs.map { $0.1.name }
}
