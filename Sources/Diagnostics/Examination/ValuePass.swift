/// Searches every value of the app's objects for object URIs, once for all rules that watch them.
struct ValuePass {
  private let examination: Examination
  private let observers: [any ValueObserver]

  init(_ examination: Examination, _ observers: [any ValueObserver]) {
    self.examination = examination
    self.observers = observers
  }

  func run(step: () -> Void) throws {}
}
