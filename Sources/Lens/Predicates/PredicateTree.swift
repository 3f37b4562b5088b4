/// A predicate as it was typed, in the terms of Apple's *Predicate Format String Syntax*
/// (https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/pSyntax.html).
/// Positions are offsets into its UTF-8, for the caret below a mistake.
indirect enum PredicateTree: Equatable {
  case constant(Bool)
  case all([PredicateTree])
  case any([PredicateTree])
  case not(PredicateTree)
  case comparison(Comparison)

  struct Comparison: Equatable {
    /// How many of the objects behind a to-many relationship have to satisfy it.
    enum Quantifier: String { case any = "ANY", all = "ALL", none = "NONE" }
    enum Operator: String {
      case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
      case between = "BETWEEN", isIn = "IN", beginsWith = "BEGINSWITH", contains = "CONTAINS", endsWith =
        "ENDSWITH"
      case like = "LIKE", matches = "MATCHES"

      var isOfText: Bool { [.beginsWith, .contains, .endsWith, .like, .matches].contains(self) }
    }
    /// The letters in brackets behind an operator; `n` changes nothing, as everything compares so here.
    struct Options: OptionSet {
      let rawValue: Int
      static let ignoresCase = Options(rawValue: 1)
      static let ignoresDiacritics = Options(rawValue: 2)
    }

    var quantifier: Quantifier?
    var left: Expression
    var comparison: Operator
    var options: Options = []
    var right: Expression
    /// Of the operator.
    var offset: Int
  }

  struct Expression: Equatable {
    var form: Form
    var offset: Int

    var isLiteral: Bool {
      switch form {
      case .bool, .integer, .real, .text, .variable: true
      default: false
      }
    }
  }

  indirect enum Form: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case list([Expression])
    /// `SELF`, what a subquery binds, or nothing in front of the names.
    case path(root: Root, [Step])
    /// `$NAME` outside of a subquery: a value given apart.
    case variable(String)
    case call(String, [Expression])
    case arithmetic(String, Expression, Expression)
    case negative(Expression)
    case cast(Expression, type: String)
    /// The objects behind a path that satisfy a predicate.
    case subquery(Expression, variable: String, PredicateTree)
    /// What is asked of another expression than a path: `SUBQUERY(…).@count`, `uppercase(name).length`.
    case of(Expression, Step)

    enum Root: Equatable { case object, bound(String) }
  }

  /// One name of a key path, `@count` and its like included.
  struct Step: Equatable {
    var name: String
    var offset: Int
  }
}

/// Names of their own for what parser and compiler handle all the time.
protocol PredicateTerms {
  typealias Comparison = PredicateTree.Comparison
  typealias Expression = PredicateTree.Expression
  typealias Form = PredicateTree.Form
  typealias Step = PredicateTree.Step
}

/// What a predicate says that can't be understood or doesn't exist.
package struct PredicateMistake: Error, Equatable, CustomStringConvertible {
  package var description: String { problem }
  package var problem: String
  /// In the predicate's UTF-8.
  package var offset: Int
  package var advice: String?
  /// A name that isn't known, and those that are.
  package var name: String?
  package var known: [String] = []

  init(_ problem: String, _ offset: Int, _ advice: String? = nil) {
    (self.problem, self.offset, self.advice) = (problem, offset, advice)
  }
}
