import Diagnostics
import Lens
import Rendering
import StoreModel
import SystemCalls
import Values

/// The one object among those that were found, or what to say if there is none, or if people have to choose.
struct ObjectChoice {
  private let store: CoreDataStore
  private let reader: TraceReader
  private let titles: ObjectTitles
  private let deleted: DeletedObjects
  private let dates: DateText
  private let progress: Progress
  private let number: ((String) -> Int?)?
  private let note: (String) -> Void

  init(
    _ invocation: Invocation, _ store: CoreDataStore, _ reader: TraceReader, _ titles: ObjectTitles,
    _ deleted: DeletedObjects
  ) {
    self.store = store
    self.reader = reader
    self.titles = titles
    self.deleted = deleted
    dates = invocation.dates
    progress = invocation.progress
    number = invocation.number
    note = invocation.note
  }

  /// The only object with a value that was asked for without its property. Which property has a number, a date or a UUID
  /// may be a surprise, and a whole number may be anything.
  func oneOfAnyProperty(
    _ result: ObjectFinder.Result, none: String, _ value: String
  ) throws -> ObjectKey {
    let object = try one(of: result, none: none, some: "objects have a value '\(value)'", value)
    guard result.closeness == .equal, let property = result.property,
      ![.string, .uri].contains(property.type)
    else { return object }
    let name = try name(of: object)
    guard Int64(value) == nil else {
      throw StoreScopeError(
        .invalid, "'\(value)' may be a value of any property; \(property.name) of \(name) has it",
        about: value,
        advice: "use \(property.name)=\(value), or Entity/p\(value) if that is the object's number")
    }
    note("'\(value)' is \(property.name) of \(name)")
    return object
  }

  /// `Trip/p4 "Somewhere warm?", deleted Apr 2 18:22 UTC by app`
  func name(of object: ObjectKey) throws -> String {
    let name = try titles.name(of: object)
    guard try reader.exists(object) == false else { return name }
    guard !store.withholdsValues else { return "\(name), which doesn't exist" }
    let title = try deleted.title(of: object).map { " \"\($0)\"" } ?? ""
    guard let deletion = try deleted.deletion(of: object) else {
      return "\(name)\(title), which doesn't exist"
    }
    return "\(name)\(title) (deleted\(deletion.words(dates)))"
  }

  /// The only object, however close; several are for people to choose from.
  func one(
    of result: ObjectFinder.Result, none: String, some: String, _ value: String
  ) throws -> ObjectKey {
    if let object = result.objects.first, result.objects.count == 1 {
      // Another one than was asked for isn't taken without notice.
      if result.closeness != .equal { note("'\(value)' is taken for \(try name(of: object))") }
      return object
    }
    throw result.closeness == .partial
      ? try choice(.notFound, "\(none). Did you mean", of: result, value)
      : try choice(.invalid, some, of: result, value)
  }

  /// Lets people choose: by an address, and in the shell by the numbers that the objects get there.
  private func choice(
    _ kind: StoreScopeError.Kind, _ words: String, of result: ObjectFinder.Result, _ value: String
  ) throws -> StoreScopeError {
    let most = ObjectFinder.Result.limit - 1
    let objects = result.objects.prefix(most)
    let hasMore = result.objects.count > most
    let names = try objects.map(name)
    let addresses = objects.map { TextForPeople.objectName(ofURI: store.uri($0)) }
    let isGuess = kind == .notFound
    let problem = isGuess ? words : "\(hasMore ? "More than \(most)" : "\(objects.count)") \(words)"
    let numbers = number.map { addresses.compactMap($0) } ?? []
    if let first = numbers.first {
      var error = StoreScopeError(
        kind, isGuess ? problem + " one of these?" : problem, about: value,
        advice: "Choose one of them by its number, as in 'show \(first)'")
      error.list = zip(numbers, names).map { "\($0)  \($1)" } + (hasMore ? ["… and more"] : [])
      return error
    }
    let list = names.joined(separator: ", ") + (hasMore ? " and more" : "")
    return isGuess
      ? StoreScopeError(kind, "\(problem) \(list)?", about: value)
      : StoreScopeError(
        kind, "\(problem): \(list)", about: value,
        advice: "Name one of them by its address, such as \(addresses[0])")
  }

  func notFound(
    _ problem: String, _ value: String, _ entities: [SchemaEntity], _ attribute: SchemaAttribute?,
    advice: String? = nil
  ) throws -> StoreScopeError {
    let similar =
      store.withholdsValues
      ? []
      : try SimilarTexts.find(value, entities: entities, attribute: attribute, in: store) {
        progress.step("looking for similar words")
      }
    guard !similar.isEmpty else {
      return StoreScopeError(
        .notFound, problem, about: value,
        advice: advice ?? "'storescope search STORE \(ShellQuotes.readable(value))' looks in all entities")
    }
    let words = similar.map { similar in
      "'\(similar.text)' (\(store.entityName(ofNumber: similar.object.entity))/p\(similar.object.primaryKey))"
    }
    return StoreScopeError(
      .notFound, "\(problem). Similar: \(words.joined(separator: ", "))", about: value, advice: advice)
  }
}

extension DeletedObjects.Deletion {
  /// ` Apr 2 18:22 UTC by app`, as far as it is known.
  func words(_ dates: DateText) -> String {
    (at.map { " " + dates.minute($0) + dates.zone } ?? "") + (author.map { " by \($0)" } ?? "")
  }
}
