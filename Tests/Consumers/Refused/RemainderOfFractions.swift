// error: cannot convert value of type 'XTColumn<Person, Double>'
import XTLite

struct Person: XTModel {
  var size = 0.0
}

func rest() {
  _ = Person.xt.size % 2.5
}
