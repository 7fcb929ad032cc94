// error: cannot convert value of type 'String' to expected argument type 'XTSQL'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func find(_ text: String) throws -> [Person] {
  try Person.xt_findWhere(XTPredicate(sql: text))
}
