/// Something that could not be done: what kind of failure, what it is about, what was wrong, what to do next. Ends the
/// command with exit code 2.
///
/// Who throws it says the parts; the sentence is composed in one place, `clause` below.
package struct StoreScopeError: Error, Equatable, Sendable {
  /// What went wrong, for those who have to tell failures apart without reading words.
  package enum Kind: String, Sendable, CaseIterable {
    /// What was named isn't there: a file, an object, an entity, a saved query.
    case notFound
    /// It is there, and the system or SQLite doesn't let it be read.
    case unreadable
    /// Its content contradicts itself.
    case damaged
    /// It is something other than it has to be: no store, no backup, another store.
    case foreign
    /// The store lacks what the answer would be read from.
    case lacking
    /// It can't be written, locked or moved.
    case unwritable
    /// Something else is there already, and stays.
    case occupied
    /// Another process has it.
    case busy
    /// It was changed meanwhile.
    case changed
    /// Too large, too deep, or too many.
    case limit
    /// What was typed, or stands in a file of the user's, can't be used.
    case invalid
    /// It could be done, and isn't: it would do harm, or nobody consented.
    case refused
    /// It was begun and didn't end as it had to.
    case failed
  }

  /// What became of that which was about to be changed.
  package enum Outcome: String, Sendable {
    case unchanged = "nothing was changed"
    case rolledBack = "everything was rolled back"
  }

  /// How the sentence begins.
  private enum Opening: Equatable {
    /// The problem names the subject, if there is one.
    case none
    /// `'SUBJECT' PROBLEM`
    case quoted
    /// `SUBJECT PROBLEM`
    case plain
    /// `can't read 'SUBJECT': PROBLEM`
    case attempt(String)
  }

  package var kind: Kind
  /// What it is about, as its user calls it: a path, an entity, a word that was typed.
  package var subject: String?
  private let opening: Opening
  /// A clause, without a full stop; where it is more than one, sentences.
  package var problem: String
  /// What to do next, likewise. With a capital letter it is a sentence of its own.
  package var advice: String?
  package var outcome: Outcome?
  /// What stands below the sentence, a line each.
  package var list: [String] = []
  /// A name that isn't known, and those that are: whoever prints the error names the nearest one.
  package struct UnknownName: Equatable, Sendable {
    package let name: String
    package let known: [String]
  }
  package var unknown: UnknownName?

  private init(
    _ kind: Kind, _ subject: String?, _ opening: Opening, _ problem: String, _ advice: String?,
    _ outcome: Outcome?
  ) {
    self.kind = kind
    self.subject = subject
    self.opening = opening
    self.problem = problem
    self.advice = advice
    self.outcome = outcome
  }

  /// `'SUBJECT' PROBLEM; ADVICE.`
  package init(
    _ kind: Kind, _ subject: String, _ problem: String, advice: String? = nil, outcome: Outcome? = nil
  ) {
    self.init(kind, subject, .quoted, problem, advice, outcome)
  }

  /// `SUBJECT PROBLEM; ADVICE.`
  package init(_ kind: Kind, plain subject: String, _ problem: String, advice: String? = nil) {
    self.init(kind, subject, .plain, problem, advice, nil)
  }

  /// `PROBLEM; ADVICE.`
  /// - Parameter subject: what the problem names somewhere.
  package init(
    _ kind: Kind, _ problem: String, about subject: String? = nil, advice: String? = nil,
    outcome: Outcome? = nil
  ) {
    self.init(kind, subject, .none, problem, advice, outcome)
  }

  /// The same with a command below the sentence: there it can be pasted, and its quotes stand in no others.
  package func listing(command: String) -> StoreScopeError {
    var error = self
    error.list.append(command)
    return error
  }

  /// The same with a name that isn't known, and those that are.
  package func naming(_ name: String, among known: [String]) -> StoreScopeError {
    var error = self
    error.unknown = UnknownName(name: name, known: known)
    return error
  }

  /// What another error says, and more about it.
  package init(_ cause: any Error, advice: String? = nil, outcome: Outcome? = nil) {
    let known = cause as? StoreScopeError
    self.init(known?.kind ?? .failed, known?.subject, .none, Sentence.ended("\(cause)"), advice, outcome)
  }
}

// MARK: - Frequent ones

extension StoreScopeError {
  /// `ATTEMPT 'SUBJECT': REASON; ADVICE.`
  /// - Parameter attempt: for example `can't open`.
  package static func failed(
    _ attempt: String, _ subject: String, _ reason: String, kind: Kind = .unreadable, advice: String? = nil
  ) -> StoreScopeError {
    StoreScopeError(kind, subject, .attempt(attempt), reason, advice, nil)
  }

  /// `can't open 'PATH': REASON; ADVICE.`
  package static func unreadable(
    _ path: String, _ reason: String, kind: Kind = .unreadable, advice: String? = nil
  ) -> StoreScopeError {
    failed("can't open", path, reason, kind: kind, advice: advice)
  }

  /// `'PATH' can't be written: REASON; ADVICE.`
  package static func unwritable(
    _ path: String, _ reason: String, advice: String? = nil, outcome: Outcome? = nil
  ) -> StoreScopeError {
    StoreScopeError(.unwritable, path, "can't be written: \(reason)", advice: advice, outcome: outcome)
  }

  /// `'PATH' could not be DONE: REASON.`
  /// - Parameter done: for example `read` or `renamed`.
  package static func couldNotBe(_ done: String, _ path: String, _ reason: String) -> StoreScopeError {
    let kind: Kind = ["read", "opened", "examined"].contains(done) ? .unreadable : .unwritable
    return StoreScopeError(kind, path, "could not be \(done): \(reason)")
  }
}

// MARK: - Words

extension StoreScopeError: CustomStringConvertible {
  /// A sentence, with a full stop.
  package var description: String { Sentence.ended(clause) }

  /// The same without the full stop, for a sentence of somebody else's that ends with it.
  package var clause: String {
    let subject = subject ?? ""
    return switch opening {
    case .none: remark
    case .quoted: "'\(subject)' \(remark)"
    case .plain: "\(subject) \(remark)"
    case .attempt(let attempt): "\(attempt) '\(subject)': \(remark)"
    }
  }

  /// What is wrong and what to do, where the reader knows of what.
  package var remark: String {
    var text = problem
    var endsClause = false
    /// A sentence holds two clauses at most.
    func add(_ part: String) {
      let isSentence = part.first?.isUppercase ?? false
      if Sentence.isEnded(text) {
        text += " \(isSentence ? part : Sentence.begun(part))"
      } else if isSentence || endsClause {
        text += ". \(Sentence.begun(part))"
      } else {
        text += "; \(part)"
        endsClause = true
      }
    }
    if let advice { add(advice) }
    if let outcome { add(outcome.rawValue) }
    return text
  }
}

extension Error {
  /// What it says, without a full stop.
  package var clause: String { (self as? StoreScopeError)?.clause ?? "\(self)" }
}
