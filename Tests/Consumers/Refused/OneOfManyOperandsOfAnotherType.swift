// error: conformance of 'XTColumn<Model, Value>' to 'XTMismatched' is unavailable: the two sides are of different types
import XTLite

struct Person: XTModel {
  var name = ""
  var age = 0
  var size = 0.0
}

/// Not "unable to type-check this expression in reasonable time".
func values() throws {
  _ = try Person.xt_select(
    Person.xt.age * 2, Person.xt.age + Person.xt.size, Person.xt.age - 1, Person.xt.name + "!")
}
