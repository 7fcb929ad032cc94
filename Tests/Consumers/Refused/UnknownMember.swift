// error: value of type 'XTColumns<Person>' has no dynamic member 'agee'
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
}

func find() throws -> [Person] {
  try Person.xt_findWhere(Person.xt.agee > 3)
}
