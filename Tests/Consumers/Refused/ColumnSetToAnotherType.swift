// error: no exact matches in call to static method 'set'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func change() throws {
  try Person.xt_updateAll(.set(\.name, to: Person.xt.age + 1))
}
