/// The options there are, without their dashes. Who declares one and who asks for it write the same case, so that a
/// mistyped one doesn't compile.
package enum OptionName: String, Sendable, Hashable, CaseIterable {
  case all
  case app
  case apply
  case asOfCommit = "as-of-commit"
  case assumeCloudKit = "assume-cloudkit"
  case at
  case author
  case backupTo = "backup-to"
  case baseline
  case before
  case blobs
  case bundle
  case by
  case caseSensitive = "case-sensitive"
  case change
  case chart
  case cloud
  case cloudKit = "cloudkit"
  case color
  case columns
  case command
  case commits
  case compress
  case confirm
  case copyTo = "copy-to"
  case decode
  case diff
  case discardPendingDeletes = "discard-pending-deletes"
  case entity
  case every
  case exact
  case exitCode = "exit-code"
  case expand
  case failOn = "fail-on"
  case failed
  case file
  case force
  case format
  case functions
  case help
  case includeValues = "include-values"
  case jobs
  case json
  case keep
  case keepLengths = "keep-lengths"
  case kind
  case limit
  case list
  case local
  case match
  case memory
  case metadata
  case mirrored
  case model
  case newest
  case noAuthor = "no-author"
  case noCauses = "no-causes"
  case noColor = "no-color"
  case noConfig = "no-config"
  case noPager = "no-pager"
  case object
  case offset
  case onCopy = "on-copy"
  case only
  case output
  case param
  case password
  case passwordFile = "password-file"
  case `private`
  case process
  case property
  case pull
  case push
  case quiet
  case rehearse
  case rescan
  case reverse
  case rows
  case rule
  case salt
  case serverZone = "server-zone"
  case set
  case show
  case since
  case sort
  case state
  case stdin
  case summary
  case table
  case thorough
  case timeout
  case times
  case title
  case to
  case toCommit = "to-commit"
  case transaction
  case until
  case validate
  case values
  case verbose
  case views
  case `where`
  case writeBaseline = "write-baseline"
}
