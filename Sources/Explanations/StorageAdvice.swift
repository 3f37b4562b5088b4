/// What helps when storage is full, wherever that is said.
package enum StorageAdvice {
  /// In the user's own database.
  package static let free = "Free iCloud storage on this account; uploads then resume on their own."
}
