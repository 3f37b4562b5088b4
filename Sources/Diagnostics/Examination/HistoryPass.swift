import CloudKitMirror
import SQLite
import StoreModel

/// Reads history once, for all rules that watch it.
struct HistoryPass {
  private let examination: Examination
  private let observers: [any HistoryObserver]

  init(_ examination: Examination, _ observers: [any HistoryObserver]) {
    self.examination = examination
    self.observers = observers
  }

  /// Calls `step` for every change.
  func run(step: () -> Void) throws {}
}
