/// How far a checkpoint goes: how the pages in a file's write-ahead log are put into the file.
public enum XTCheckpoint: Sendable {
  /// As many pages as possible without waiting for anybody.
  case passive
  /// All pages: waits for the writer, and for readers of an older state.
  case full
  /// As `full`, and waits until nobody reads from the log: the next writer begins it anew.
  case restart
  /// As `restart`, and makes the log's file empty.
  case truncate
}

/// What a checkpoint did.
public struct XTCheckpointResult: Sendable, Equatable {
  /// What kept a checkpoint from its end.
  public enum Obstacle: Sendable {
    /// A reader of an older state, which still needs the log: a `read { }` block, another program.
    case reader
    /// Another program that wrote.
    case writer
    /// Another program's checkpoint.
    case checkpoint
  }

  /// Pages in the log; 0 after `truncate`, and where the database has no log.
  public var pages = 0
  /// How many of them are in the file now.
  public var checkpointed = 0
  /// Who was in the way; nil where the checkpoint did all that was asked for.
  public var obstacle: Obstacle?

  /// Whether every page of the log is in the file.
  public var isComplete: Bool { pages == checkpointed && obstacle != .checkpoint }
}
