// error: conformance of 'XTColumn<Model, Value>' to 'XTMismatched' is unavailable: the two sides are of different types, or of one that has no such operator
import XTLite

struct Person: XTModel {
  var size = 0.0
}

func rest() {
  _ = Person.xt.size % 2.5
}
