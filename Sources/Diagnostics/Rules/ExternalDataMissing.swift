import StoreModel
import SystemCalls
import Values

extension Rule {
  static let externalDataMissing = Rule(about) { examination, findings in
    let files = examination.store.externalFiles
    var omissions = Omissions("All files were looked for")
    try ExternalReferences(examination).forEach { reference in
      if ExternalFiles.isFileName(reference.file) {
        switch files.file(reference.file, .externalData).state {
        case .file: return
        // What can't be looked at may well be there.
        case .link: return omissions.add(reference.place, "lies behind a link, not followed")
        case .unreadable(let reason):
          return omissions.add(reference.place, "lies in a file that can't be looked at (\(reason))")
        case .missing, .folder, .special: break
        }
      }
      findings.add(
        object: reference.holder, subject: "\(reference.place)/\(reference.primaryKey)",
        [
          .init("uri", .optional(reference.holder)), .init("place", .text(reference.place)),
          .init("pk", .integer(reference.primaryKey)), .init("file", .text(reference.file)),
        ])
    }
    findings.omission = omissions.sentence
  }
}

private let about = RuleHeader(
  "external-data-missing", .error,
  title: "Values whose file is gone",
  looksFor: """
    A value of an attribute with external storage, or a record's copy in the mirror, that lies in a file \
    next to the store, where there is no such file.
    """,
  why: "The value is lost: the row has only the file's name. A mirrored object can't be uploaded with it.",
  nextLaunch: """
    Reading the attribute gives nil, or fails with "External data reference can't find underlying file"; an export \
    of the object fails on it again and again.
    """,
  remedy: """
    Look for the hidden folder '.NAME_SUPPORT' where the store came from, and put it next to the store; else \
    set the attributes to nil in the app. Copy and move stores with all that lies beside them.
    """,
  needs: [.model],
  falsePositives: """
    A store that was copied for examination without its hidden folder. File-backed futures, a private kind of \
    Apple's, aren't looked at. Links aren't followed, and what they lead to isn't called missing.
    """,
  evidence: "App authors report it.",
  message: "{count} {value lies|values lie} in {a file that is|files that are} not there, such as {place}.")
