// error: cannot convert value of type 'String' to expected argument type
import XTLite

func run(_ typed: String, _ database: XTDatabase) throws {
  try database.execute(typed)
}
