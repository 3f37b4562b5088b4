/// Words that people meet when a store syncs.
enum Terms {
  static let all = history + records + syncing + states
}
