/// The name of an option, without its dashes. Who declares one and who asks for it write the same case, so that a
/// mistyped one doesn't compile.
package enum OptionName: String, Sendable {
  case all, app, apply, at, author
  case baseline, before, blobs, bundle, by
  case change, chart, cloud, color, columns, command, commits, compress, confirm
  case decode, diff
  case entity, every, exact, expand
  case failed, file, force, format, functions
  case help
  case jobs, json
  case keep, kind
  case limit, list, local
  case match, memory, metadata, mirrored, model
  case newest
  case object, offset, only, output
  case param, password, predicate, `private`, process, property, pull, push
  case quiet
  case rehearse, rescan, reverse, rows, rule
  case salt, set, show, since, sort, state, stdin, summary
  case table, thorough, timeout, times, title, to, transaction
  case until
  case validate, values, verbose, views
  case `where`

  case asOfCommit = "as-of-commit"
  case assumeCloudKit = "assume-cloudkit"
  case backupTo = "backup-to"
  case caseSensitive = "case-sensitive"
  case cloudKit = "cloudkit"
  case copyTo = "copy-to"
  case discardPendingDeletes = "discard-pending-deletes"
  case exitCode = "exit-code"
  case failOn = "fail-on"
  case includeValues = "include-values"
  case keepLengths = "keep-lengths"
  case noAuthor = "no-author"
  case noCauses = "no-causes"
  case noColor = "no-color"
  case noConfig = "no-config"
  case noPager = "no-pager"
  case onCopy = "on-copy"
  case passwordFile = "password-file"
  case serverZone = "server-zone"
  case toCommit = "to-commit"
  case writeBaseline = "write-baseline"
}
