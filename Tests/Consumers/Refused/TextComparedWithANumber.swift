// error: is unavailable: the value is not of the property's type
import XTLite

struct Person: XTModel {
  var name = ""
}

/// Numbers in a text column sort as text; nobody compares them by mistake.
func old() throws -> [Person] {
  let limit = 17
  return try Person.xt_findWhere(\Person.name > limit)
}
