import Comparison
import Foundation
import StoreModel
import TestSupport
import Testing

/// Stores that Apple's frameworks wrote.
@Suite(.enabled(if: RealStores.arePresent)) struct RealStoreTests {
  /// A copy is the same store; what is done to it is told.
  @Test(arguments: RealStores.all) func copies(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let (otherFolder, other) = try RealStores.copy(name)
    // Closed only with this test, so that it is edited in a copy of its own.
    let (editedFolder, edited) = try RealStores.copy(name)
    // Some of them aren't Core Data's.
    guard let comparison = try? StorePair.compare(path, other, parts: [.objects, .history, .mirror]) else {
      return
    }
    #expect(comparison.isEmpty && comparison.matching == .key)
    let before = try FolderSnapshot(folder.path)
    _ = try StorePair.compare(path, other)
    #expect(try FolderSnapshot(folder.path) == before)
    // One object goes; the first entity with any is as good as another.
    guard let entity = comparison.entities.first(where: { $0.rows.store > 0 }), let found = entity.store
    else {
      return
    }
    try StorePair.edit(
      edited,
      "DELETE FROM \(found.table) WHERE Z_PK = (SELECT MAX(Z_PK) FROM \(found.table) WHERE Z_ENT = \(found.number))"
    )
    let difference = try StorePair.compare(path, edited, parts: [.objects])
    #expect(difference.entity(entity.name)?.removed.count == 1)
    #expect(difference.entities.map { $0.added.count + $0.removed.count }.reduce(0, +) == 1)
    _ = (otherFolder, editedFolder)
  }
}
