// What upgrades need to have otherwise than verbs.
extension Connection {
  /// Whether a name in double quotes that is none means a text, in the schema. Files that other
  /// programs made may say so.
  ///
  /// Libraries that can't tell always take it for one.
  func takeDoubleQuotedTexts(_ isOn: Bool) {
    guard SQLiteLibrary.canDisableDoubleQuotedStrings else { return }
    _ = xt_db_config_set(handle, Int32(XT_DBCONFIG_DQS_DDL), isOn ? 1 : 0)
  }

  /// Refuses ATTACH, so that nothing outside of this database can be written.
  func refuseAttaching() {
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
  }
}
