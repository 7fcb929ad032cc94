import Foundation
import XTLite

/// A question, what the library answers, and the SQL that a person would write for it. The answer
/// is printed as the sqlite3 tool prints rows, so that the two can be compared.
struct Question {
  let text: String
  let sql: String
  let answer: () throws -> [String]
}

extension Question {
  static var all: [Question] { places + words + characters }

  private static var places: [Question] {
    [
      Question(
        text: "Which countries' names have an apostrophe?",
        sql: """
          SELECT alpha2, name FROM Country
          WHERE instr(name, '''') > 0 AND xt_isDel = 0 ORDER BY alpha2
          """
      ) {
        try Country.xt_select(
          \.alpha2, \.name, where: (\Country.name).contains("'"), orderBy: .asc(\.alpha2)
        ).map { row($0, $1) }
      },
      Question(
        text: "What do Chinese, Arabic, Russian, Greek and Hindi call Japan?",
        sql: """
          SELECT json_extract(names, '$.zh_CN'), json_extract(names, '$.ar'),
          json_extract(names, '$.ru'), json_extract(names, '$.el'), json_extract(names, '$.hi')
          FROM Country WHERE name = 'Japan' AND xt_isDel = 0
          """
      ) {
        let names = try Country.xt_findFirstWhere(\.name == "Japan")?.names ?? [:]
        return [row(names["zh_CN"], names["ar"], names["ru"], names["el"], names["hi"])]
      },
      Question(
        text: "How many parts of France, Italy and Spain lie within another part?",
        sql: """
          SELECT COUNT(*) FROM Subdivision
          WHERE country IN ('FR', 'IT', 'ES') AND parent IS NOT NULL AND xt_isDel = 0
          """
      ) {
        let countries = ["FR", "IT", "ES"]
        let count = try Subdivision.xt_countWhere(
          "country IN \(list: countries) AND parent IS NOT NULL")
        return [row(count)]
      },
    ]
  }

  private static var words: [Question] {
    [
      Question(
        text: "Which are the first five macrolanguages without a code of two letters?",
        sql: """
          SELECT alpha3, name FROM Language
          WHERE scope = 'M' AND alpha2 IS NULL AND xt_isDel = 0 ORDER BY name LIMIT 5
          """
      ) {
        try Language.xt_findWhere(
          \.scope == .macrolanguage && \.alpha2 == nil, orderBy: .asc(\.name), limit: 5
        ).map { row($0.alpha3, $0.name) }
      },
      Question(
        text: "Has an ancient language a code of two letters?",
        sql: """
          SELECT EXISTS (SELECT 1 FROM Language
          WHERE type = 'A' AND alpha2 IS NOT NULL AND xt_isDel = 0)
          """
      ) {
        [row(try Language.xt_hasModelWhere(\.type == .ancient && \.alpha2 != nil))]
      },
      Question(
        text: "How many languages are live, how many softly deleted, how many is that?",
        sql: "SELECT SUM(xt_isDel = 0), SUM(xt_isDel = 1), COUNT(*) FROM Language"
      ) {
        [
          row(
            try Language.xt_count(), try Language.xt_count(scope: .deleted),
            try Language.xt_count(scope: .all))
        ]
      },
      Question(
        text: "What are the lowest and the highest number of a national currency?",
        sql: """
          SELECT MIN(number), MAX(number) FROM Currency WHERE isNational = 1 AND xt_isDel = 0
          """
      ) {
        [
          row(
            try CurrencyVersion2.xt_minOf(\.number, where: \.isNational == true),
            try CurrencyVersion2.xt_maxOf(\.number, where: \.isNational == true))
        ]
      },
    ]
  }

  private static var characters: [Question] {
    [
      Question(
        text: "Which smiling faces are among the emoticons?",
        sql: """
          SELECT text, name FROM CodePoint WHERE code BETWEEN 0x1F600 AND 0x1F64F
          AND instr(name, 'SMILING FACE') > 0 AND xt_isDel = 0 ORDER BY code
          """
      ) {
        try CodePoint.xt_findWhere(
          (\CodePoint.code).between(0x1F600, 0x1F64F) && (\CodePoint.name).contains("SMILING FACE"),
          orderBy: .asc(\.code)
        ).map { row($0.text, $0.name) }
      },
      Question(
        text: "Which character is made of the most others?",
        sql: """
          SELECT name, json_array_length(decomposition, '$.codes') FROM CodePoint
          WHERE decomposition IS NOT NULL AND xt_isDel = 0 ORDER BY 2 DESC LIMIT 1
          """
      ) {
        var longest = (name: "", count: 0)
        try CodePoint.xt_forEachWhere(\.decomposition != nil) { point in
          let count = point.decomposition?.codes.count ?? 0
          if count > longest.count { longest = (point.name, count) }
        }
        return [row(longest.name, longest.count)]
      },
      Question(
        text: "How many characters are mirrored, and what is the average and the sum of numbers?",
        sql: """
          SELECT SUM(isMirrored), printf('%.3f', AVG(numericValue)),
          printf('%.3f', SUM(numericValue)) FROM CodePoint WHERE xt_isDel = 0
          """
      ) {
        let average = try CodePoint.xt_avgOf(\.numericValue) ?? 0
        let sum = try CodePoint.xt_sumOf(\.numericValue) ?? 0
        return [
          row(
            try CodePoint.xt_countWhere(\.isMirrored), String(format: "%.3f", average),
            String(format: "%.3f", sum))
        ]
      },
    ]
  }
}

/// One row as the sqlite3 tool prints it.
private func row(_ values: Any?...) -> String {
  values.map { value in
    switch value {
    case nil: ""
    case let flag as Bool: flag ? "1" : "0"
    case let value?: "\(value)"
    }
  }.joined(separator: "|")
}
