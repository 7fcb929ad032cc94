// error: cannot convert value of type 'String' to expected argument type
import XTLite

struct Person: XTModel {
  var name = ""
}

/// What a user typed does not become SQL by accident.
func find(_ typed: String) throws -> [Person] {
  try Person.xt_findWhere(typed)
}
