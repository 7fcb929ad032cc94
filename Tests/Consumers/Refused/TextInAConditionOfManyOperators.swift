// error: conformance of 'XTExpression<Value>' to 'XTMismatched' is unavailable: the two sides are of different types
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
  var limit = 0
}

func find(_ text: String) throws -> [Person] {
  try Person.xt_findWhere(
    Person.xt.age * 2 > text && Person.xt.age - 1 > 5 && Person.xt.limit * Person.xt.age < 10)
}
