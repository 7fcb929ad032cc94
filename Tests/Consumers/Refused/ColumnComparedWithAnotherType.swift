// error: binary operator '==' cannot be applied to operands of type 'XTExpression<Int>' and 'XTColumn<Person, String>'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func find() throws -> [Person] {
  try Person.xt_findWhere(Person.xt.age * 2 == Person.xt.name)
}
