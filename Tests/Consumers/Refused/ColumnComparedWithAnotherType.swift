// error: conformance of 'XTExpression<Value>' to 'XTMismatched' is unavailable: the two sides are of different types
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func find() throws -> [Person] {
  try Person.xt_findWhere(Person.xt.age * 2 == Person.xt.name)
}
