// error: cannot convert value of type 'XTCondition<Pet>' to expected argument type 'XTCondition<Person>'
import XTLite

struct Person: XTModel {
  var name = ""
}

struct Pet: XTModel {
  var name = ""
}

func find(_ condition: XTCondition<Pet>) throws -> [Person] {
  try Person.xt_findWhere(condition)
}
