// error: cannot convert value of type 'XTQuery<Person, Int>' to expected argument type 'XTQuery<Person, String>'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func union() throws -> [String] {
  let names = Person.xt_query().columns(Person.xt.name)
  return try names.union(Person.xt_query().columns(Person.xt.age)).all()
}
