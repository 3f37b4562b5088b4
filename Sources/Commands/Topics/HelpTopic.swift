import Explanations
import Lens

/// A page of help that isn't one command's: `help sql` in the shell, `storescope help sql` outside.
package struct HelpTopic: Sendable {
  package let name: String
  /// Other words for it.
  package let synonyms: [String]
  /// One line, lower-case, without a full stop.
  package let summary: String
  private let makeText: @Sendable (_ width: Int) -> String

  private init(
    _ name: String, _ synonyms: [String] = [], _ summary: String, text: @escaping @Sendable (Int) -> String
  ) {
    self.name = name
    self.synonyms = synonyms
    self.summary = summary
    makeText = text
  }

  private init(_ name: String, _ synonyms: [String] = [], _ summary: String, _ text: String) {
    self.init(name, synonyms, summary) { Help.flowed(text, width: $0) }
  }

  package func text(width: Int) -> String { makeText(width) }

  package static func named(_ word: String) -> HelpTopic? {
    let word = word.lowercased()
    return all.first { $0.name == word || $0.synonyms.contains(word) }
  }

  package static let all: [HelpTopic] = [
    places, terms, sql, views, dates, numbers, pipes, stdin, operations, options,
  ]

  // MARK: - Pages

  private static let places = HelpTopic(
    "places", ["place", "address", "device", "simulator", "backup"],
    "find stores, and get one off a device and back",
    """
    'storescope find' looks through folders, simulators, containers, backups, and zip and tar archives. Every command that
    reads a store takes what it prints: a path, or an address such as case.zip!/AppData/Library/App.store, which is the
    archive or the backup's folder, !/ and the path inside. A folder or an archive with one store stands for that
    store. A file:// URL is fine, too. What is in an archive or a backup is copied to a private folder in TMPDIR
    and removed at the end.

    The usual places
      SwiftData   Library/Application Support/default.store, in the first
                  App Group if the app has one. An app that added a group has
                  two; the newer one counts.
      Core Data   Library/Application Support/NAME.sqlite
      Others      Some apps use Documents, Library, or a folder of their own in
                  Library/Application Support.
      App Groups  Apps share a store with their widgets and extensions in
                  Containers/Shared/AppGroup/UUID, not in Containers/Data.
      On a Mac    ~/Library/Containers/BUNDLE/Data/…,
                  ~/Library/Group Containers/GROUP/…
      .NAME_SUPPORT/_EXTERNAL_DATA next to a store has its large values. It is
                  hidden, and belongs to the store as the -wal does.

    From a simulator
      xcrun simctl get_app_container booted BUNDLE data
      xcrun simctl get_app_container booted BUNDLE GROUP    (an App Group)

    From a device
      Development builds: in Xcode's Devices and Simulators, choose the app and
      Download Container. App Groups aren't in it. To find the store in it:
        storescope find App.xcappdata
      On the command line:
        xcrun devicectl device copy from --device ID \\
          --domain-type appDataContainer --domain-identifier BUNDLE \\
          --source Library --destination FOLDER
      Apps from the App Store: make a backup in Finder. If it is encrypted,
      pass --password.

    From an archive or a forensic image
      zip, tar and packed backups are searched as they are:
        storescope find case.zip --app BUNDLE
      Unpack 7z and rar, and mount disk images (dmg, E01, raw) read-only, then
      search the folder.

    A copy for later
      Quit the app first. This keeps the -wal and the hidden _SUPPORT folder;
      dragging only the store's file doesn't:
        cp -R "$(xcrun simctl get_app_container booted BUNDLE data)" COPY

    And back
      'resync', 'repair' and 'reset' don't change a store in an archive or a
      backup. Copy it out first, with its -wal and external files:
        storescope find ADDRESS --copy-to FOLDER
      Quit the app first. Then copy back the store, its -wal if there is one,
      and the hidden folder .NAME_SUPPORT, but nothing else in FOLDER. Delete
      the old -wal first: it would damage the new store. If 'find' showed that
      the -wal was missing, don't replace the store with the copy: newer
      commits would be lost.
      Simulator:
        xcrun simctl terminate booted BUNDLE
        cd "$(xcrun simctl get_app_container booted BUNDLE data)"
        cd "Library/Application Support"
        rm -f NAME.store-wal NAME.store-shm
        for f in NAME.store NAME.store-wal .NAME_SUPPORT; do
          test ! -e "/PATH/TO/FOLDER/$f" || cp -R "/PATH/TO/FOLDER/$f" .
        done
      Mac app: quit it, then the same as from 'rm' on, in its own folder:
        cd ~/Library/Containers/BUNDLE/Data
        cd "Library/Application Support"
      A customer's zip can't be changed, so pack a new one; on a Mac, the
      customer unpacks it in the app's folder, after the same 'rm'. On an
      iPhone, the app itself has to import it.
        cd FOLDER
        zip -r ../Fixed.zip NAME.store NAME.store-wal .NAME_SUPPORT
      Device, development builds (likewise for the -wal; if the copy has none,
      send an empty file in place of the old one):
        xcrun devicectl device copy to --device ID \\
          --domain-type appDataContainer --domain-identifier BUNDLE \\
          --source FOLDER/NAME.store --destination Library/…/NAME.store
      App Group: pass the group's name to the simulator; on a device, use the
      domain type for App Groups:
        cd "$(xcrun simctl get_app_container booted BUNDLE GROUP)"
        … --domain-type appGroupDataContainer --domain-identifier GROUP
      .xcappdata: replace the files in its AppData, then choose the app and
      Replace Container in Xcode's Devices and Simulators.
      A Finder backup can't be changed. Bring the data back through the app,
      such as with its own import.

    """)

  private static let terms = HelpTopic(
    "terms", ["term", "words", "glossary"], "what the words in results mean"
  ) { width in
    Help.flowed(
      """
      Text, JSON and SQL use the same words. 'explain WORD' shows the rest of an entry, and 'explain' lists all \
      terms, error codes and rules.


      """, width: width)
      + Help.columns(
        Terms.essential.flatMap { word in ExplanationCatalog.all.filter { $0.subject == word } }
          .map { ($0.subject, $0.summary) }, indent: 2, width: width)
  }

  private static let sql = HelpTopic("sql", ["query", "select", "functions"], "views and functions for SQL") {
    width in
    Help.flowed(
      """
      In the shell, type SQL directly and end it with ';', over as many lines as you like; '\\G' instead of ';' prints
      one block per row. On the command line, pass it to 'query'. Only reading is
      possible: anything that could write, attach or load is refused.

      Each entity is a view under its name: pk, uri, entity, its attributes, and its to-one relationships as the
      target's pk (RELATIONSHIP_uri is its URI). Objects of sub-entities are included. Each to-many relationship is a
      view Entity_relationship with source, target, position, sourceURI and targetURI:
        SELECT e.title, t.name FROM Entry e
        JOIN Entry_tags l ON l.source = e.pk JOIN Tag t ON t.pk = l.target;
      'help views' lists the views that every store has, 'query --views' all views of this store with their columns, and
      'query --views NAME' describes the columns of one. The store's own tables (ZTRIP, …) can be read too.

      The parts of a composite have names with a dot: weather.condition. json_extract(blob_json(style), '$.zoom')
      looks into a property list, a keyed archive or JSON. Dates compare by time: 'help dates'.
      Objects are keys and URIs: trip = pk('Trip/p1'). A Boolean is 0 or 1, because SQL has no Booleans.

      Functions, in addition to SQLite's own:

      """, width: width)
      + Help.columns(SQLFunction.all.map { ($0.usage, $0.meaning) }, indent: 2, width: width)
      + Help.flowed(
        """

        'query' lists the saved queries, 'query NAME' runs one, and 'query NAME --show' prints its SQL. Your own
        queries go in ~/.config/storescope/queries/NAME.sql. SQL stops after 60 seconds; '--timeout SECONDS' changes
        that for one query, and 'timeout SECONDS' in the shell.

        """, width: width)
  }

  private static let views = HelpTopic("views", ["view"], "the views that every store has") { width in
    Help.flowed(
      """
      In addition to a view per entity and per to-many relationship ('help sql'), every store has these; those about the \
      mirror only if it is mirrored. SELECT * FROM views; lists all with their columns.


      """, width: width)
      + Help.columns(
        MirrorViews.documented.map { ($0.name, "one row per \($0.rows)") }, indent: 2, width: width)
  }

  private static let dates = HelpTopic(
    "dates", ["date", "time"], "how dates are shown, typed and compared",
    """
    In JSON, NDJSON and CSV, dates are ISO 8601 in UTC (2026-03-22T15:00:00.500000Z). Tables shorten them:
    Apr 18 10:31 is in UTC, or in local time with --local, and the year is left out if it is the current one.

    Options such as --since take:
      2026-03-22         a day, in UTC
      2026-03-22T15:00   a minute, in UTC, or with a time zone such as +01:00
      'Apr 18 10:31'     as tables print it; the latest April 18, and never one
                         in the future
      yesterday, 10:31   your local time; 10:31 is the last time your clock
                         showed it, today or yesterday
      2h                 2 hours ago; also 30m, 3d and 1w
    Times without a date count back from now, however old the store is. --at selects the whole minute or day, and --until 2026-03-20
    includes all of that day.

    In SQL, dates are texts in UTC that sort by time (2026-03-22 15:00:00.500000Z), and 'query' prints them so. A column
    also compares by time with a date written differently: '2026-03-20', '2026-03-20 12:00', datetime('now', '-1 day').
      SELECT title FROM Trip WHERE startDate >= '2026-03-20' ORDER BY startDate;
    An expression such as MAX(startDate) compares as text: write the date with a space there, as above.
    To calculate, use core_data_date(startDate) for seconds since 2001, unixepoch(startDate), or julianday(startDate).
    SQLite's date functions accept date columns: date(startDate), strftime('%Y-%m', startDate).
    jq reads a date from JSON without its fraction:
      jq '.rows[].birthday // empty | .[:19] + "Z" | fromdate'
    A date beyond the years 1 to 9999 is null in JSON and CSV, with the stored number in PROPERTY.raw.

    """)

  private static let numbers = HelpTopic(
    "numbers", ["numbering", "number", "objects", "back"], "what the numbers on the screen mean",
    """
    In the shell, objects in tables and pages are numbered. A number means the object with that number in
    the result printed last:
      rows Person   prints a list; its objects are 1, 2, 3 …
      show 3        shows the third; the numbers are now those of its page
      back          prints the list again, with the list's numbers
      next          shows the next object in the list, 'previous' the one before
      trace 3       shows the timeline of the third; the numbers stay those of the list
    A page about one object that numbers nothing leaves the numbers as they are. After any other result without
    objects, 'show 1' is an error, and 'back' returns to the last list. Everywhere a number can stand, so can
    Person/p12, 'Person 12', a URI or a CloudKit record name.

    """)

  private static let pipes = HelpTopic(
    "pipes", ["pipe", "redirection", "files"], "send results to files and programs",
    """
    In the shell, after any command, or after a statement's ';':
      rows Person | grep Ada           sends the result to a program, via /bin/sh
      history --json > history.json    writes it to a file; >> appends
      SELECT name FROM Person; | grep Ada
    '>' needs a space before it; in a condition, quote it: --where "rating > 3". Pipes run in lines that you type;
    scripts can only write files. 'output FILE' sends all results to a file, until 'output -'; 'once FILE' only the next.
    A store's files are never written.

    'format csv' and similar commands change how results are printed; 'vertical on' prints one block per row.

    """)

  private static let stdin = HelpTopic(
    "stdin", ["scripts", "script", "input", "-c"], "commands from standard input and scripts",
    """
    Commands and SQL can come from a pipe, a file or the command line. Each of these prints the results, stops at the
    first error and reports its line:
      echo 'pending -n 1' | storescope STORE
      storescope STORE < FILE
      storescope shell STORE -c COMMAND -f FILE

    If standard input is a device such as /dev/null, an empty file, a file that is already being read (a loop of
    'while read'), or a pipe that sends nothing within 3 seconds, 'storescope STORE' prints the summary. In a loop
    over a pipe, name the command, so that standard input is left alone: storescope summary STORE. 'storescope shell
    STORE', '-f -' and 'read -' always read standard input to its end.

    'storescope query STORE' without SQL runs the SQL on standard input, and lists the saved queries if there is none.
    'query STORE -' and 'query STORE -f -' always read it. 'query STORE -f FILE' runs the SQL in a file.
    Several statements run in order until one fails.

    """)

  private static let operations = HelpTopic(
    "operations", ["writing", "apply", "read-only"], "commands that can change a store",
    """
    Reading never changes a byte of a store or its folder. Only these can: resync, repair, reset and restore. The first
    three show a plan and change nothing without --apply; with it, you confirm by typing the store's file name, and they make a backup,
    change everything in one transaction, and check what they did. --rehearse tries it in memory. 'restore' restores such a
    backup; with --rehearse it only shows what it would replace.

    The prompt shows 'read-only' if none of them can work: you opened an earlier state (--as-of-commit), or you can't
    write the file.

    """)

  private static let options = HelpTopic("options", ["globals", "global"], "options of every command") {
    width in
    Help.flowed(
      """
      Options that all commands share, except 'completions', 'man', 'mcp' and 'schema', which take only --format and \
      --json. --model and --as-of-commit go with a store.


      """, width: width) + Help.list(CommonOptions.global.map { ($0.usage, $0.help) }, width)
      + Help.flowed(
        """


        Output to a pipe or a file is as wide as it needs to be; COLUMNS sets a width, as in \
        'COLUMNS=100 storescope history App.store | less'.

        --color wins over NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR. Defaults are lines such as 'format = json' in \
        ~/.config/storescope/config: \(Defaults.names.joined(separator: ", ")).

        """, width: width)
  }
}
