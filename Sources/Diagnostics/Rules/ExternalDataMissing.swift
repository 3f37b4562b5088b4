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
        // A file that can't be checked may well be there.
        case .link: return omissions.add(reference.place, "is behind a link, not followed")
        case .unreadable(let reason):
          return omissions.add(reference.place, "is in a file that can't be checked (\(reason))")
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
  """
  Rule: external-data-missing
  Severity: error
  Title: Values whose file is missing
  Shows: A value of an attribute with external storage, or a record's copy in the mirror, whose file next to the
    store doesn't exist.
  Why: The value is lost: the row has only the file's name. A mirrored object with such a value can't be uploaded.
  Next launch: Reading the attribute gives nil, or fails with "External data reference can't find underlying file";
    exports of the object keep failing.
  Remedy: Look for the hidden folder '.NAME_SUPPORT' where the store came from, and copy it next to the store;
    otherwise set the attributes to nil in the app. Copy and move stores with all the files next to them.
  Needs: model
  False positives: A store that was copied for examination without its hidden folder. File-backed futures, a private
    Apple format, aren't checked. Links aren't followed, and their targets aren't reported as missing.
  Evidence: App authors report it.
  Message: {count} {value is|values are} in {a file that is|files that are} missing, such as {place}.
  """)
