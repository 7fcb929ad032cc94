// error: cannot convert value of type 'String' to expected argument type 'Int'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func find(_ age: XTParameter<Int>, _ text: String) throws -> [Person] {
  try Person.xt_query().where(Person.xt.age > age).with(age, text).all()
}
