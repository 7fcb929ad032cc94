// error: sum() is for numbers
import XTLite

struct Person: XTModel {
  var name = ""
}

func sum() {
  _ = Person.xt.name.sum()
}
