// error: requires the types 'Int' and 'Bool' be equivalent
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func find() throws -> [Person] {
  try Person.xt_findWhere(Person.xt.age)
}
