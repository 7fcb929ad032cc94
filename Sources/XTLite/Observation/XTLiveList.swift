import Observation

/// The rows of an observation as a list that stays current, for a view or anything else on the main
/// actor.
///
/// ```swift
/// struct PeopleView: View {
///   @State private var people: XTLiveList<Person>?
///
///   var body: some View {
///     List(people?.items ?? []) { Text($0.name) }
///       .overlay { if people?.isLoading != false { ProgressView() } }
///       .animation(.default, value: people?.difference)
///       .task {
///         if people == nil { people = XTLiveList(where: \.age > 17, orderBy: .asc(\.name)) }
///       }
///   }
/// }
/// ```
///
/// It begins to observe when it is made, and ends when it goes, or with ``stop()``. Made as the value
/// with which a `@State` begins, it would be made, and begin, each time that SwiftUI makes the view's
/// struct.
@MainActor @Observable
public final class XTLiveList<Model: XTModel> {
  /// The rows as they are now; empty until the first came.
  public private(set) var items: [Model] = []
  /// Why there are no newer ones: what reading threw. The rows that came before stay; ``start()``
  /// begins again.
  public private(set) var error: (any Error)?
  /// Whether the first rows have yet to come.
  public private(set) var isLoading = true
  /// What the newest rows have changed in the list before, by the identity of the models: their
  /// `id` where they are `Identifiable`, else ``XTModel`` pkid, else their own key, else the whole
  /// value where it is `Hashable`, else their place.
  public private(set) var difference = XTListDifference()

  @ObservationIgnored private var observation: XTObservation<[Model]>
  @ObservationIgnored private let running = Running()

  /// A list of what an observation gives, such as one of a query.
  ///
  /// ```swift
  /// let list = XTLiveList(archive.table(Person.self).observe(orderBy: .asc(\.name)))
  /// ```
  public init(_ observation: XTObservation<[Model]>) {
    self.observation = observation
    start()
  }

  /// A list of the rows that meet a condition, of all where it is nil, in the database that is
  /// current now.
  public convenience init(
    where condition: XTCondition<Model>? = nil, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) {
    self.init(
      XTObservation {
        try Model.currentTable.live(condition, orders, limit: limit, offset: offset, scope)
      })
  }

  /// Ends it: the rows that are there stay, and no others come.
  public func stop() {
    running.replace(with: nil)
    isLoading = false
  }

  /// Observes again, after ``stop()`` or an error: also where the list was made before there was a
  /// shared database, and there is one now.
  public func start() {
    error = nil
    isLoading = true
    observation = observation.remade
    let observation = observation
    running.replace(
      with: Task { [weak self] in
        do {
          for try await items in observation {
            guard !Task.isCancelled, let self else { return }
            show(items)
          }
          self?.end(nil)
        } catch {
          self?.end(error)
        }
      })
  }

  private func show(_ new: [Model]) {
    let database = observation.database
    let ids = LiveIdentity.list(of: new, in: database)
    difference = XTListDifference(from: identities, to: ids)
    identities = ids
    items = new
    if isLoading { isLoading = false }
  }

  @ObservationIgnored private var identities: [AnyHashable] = []

  private func end(_ error: (any Error)?) {
    // One that was stopped and begun again is none of this task's.
    guard !Task.isCancelled else { return }
    self.error = error
    isLoading = false
  }

  /// The task that observes; it ends with the list.
  private final class Running: Sendable {
    private let task = Mutex<Task<Void, Never>?>(nil)

    func replace(with new: Task<Void, Never>?) {
      let old = task.withLock { task in
        defer { task = new }
        return task
      }
      old?.cancel()
    }

    deinit { replace(with: nil) }
  }
}

/// Which row a model in a list is.
enum LiveIdentity {
  static func list<Model: XTModel>(of models: [Model], in database: XTDatabase?) -> [AnyHashable] {
    let plan = try? database?.table(Model.self).plan()
    let isIdentifiable = Model.self is any Identifiable.Type
    return models.enumerated().map { place, model in
      if isIdentifiable, let id = id(of: model) { return id }
      if let stored = try? withMemory(of: model, { try plan?.storedIdentityIfAny(of: $0) }) {
        return AnyHashable(stored)
      }
      return model as? AnyHashable ?? AnyHashable(place)
    }
  }

  private static func id(of model: Any) -> AnyHashable? {
    func id<Some: Identifiable>(of model: Some) -> AnyHashable? {
      // An object's own, which each reading makes anew.
      Some.ID.self == ObjectIdentifier.self ? nil : AnyHashable(model.id)
    }
    guard let model = model as? any Identifiable else { return nil }
    return id(of: model)
  }
}
