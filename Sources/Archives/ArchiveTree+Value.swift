package import Values

extension ArchiveTree {
  /// One value of an archive as a readable tree.
  package static func value(of value: ArchivedValue, limits: DecodingLimits = DecodingLimits()) -> DataValue {
    var builder = ArchiveTreeBuilder(budget: DecodingBudget(limits))
    return builder.value(value, depth: 0)
  }
}
