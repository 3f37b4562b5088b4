/// Small numbers as people read them.
enum TextForPeople {
  static func bytes(_ count: Int64) -> String {
    switch count {
    case ..<10_000: "\(count) B"
    case ..<10_000_000: "\(count / 1000) kB"
    case ..<10_000_000_000: "\(count / 1_000_000) MB"
    default: "\(count / 1_000_000_000) GB"
    }
  }
}
