// swift-tools-version: 6.2
import PackageDescription

// One list, so that no target is laxer than another.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
  // An expression that takes the type checker more attempts than this is an error: a single one once took 53 s of every
  // build. It counts attempts, not time, so a slow machine makes no difference; another version of the compiler may.
  .unsafeFlags(["-Xfrontend", "-solver-scope-threshold=50000"], .when(platforms: [.linux])),
]

// What goes through bytes, pages, cells and rows: unoptimized it takes most of the time of the tests, as each byte costs
// several calls. The rest stays as a debugger likes it. `assert` stays everywhere.
let optimized: Set = [
  "Base", "Archives", "SQLite", "Evidence", "StoreModel", "Lens", "Redaction", "Rendering", "Forge", "Bulk",
  "TestSupport",
]

// What runs mostly once per command, and little of it per row: a release doesn't optimize it, which builds it in a third of
// the time.
let plain: Set = ["Operations", "Reports", "Commands", "Shell", "storescope"]

// These handle cells and bytes, so other modules inline their code and wait until all of it is compiled. For the rest they
// wait only for the declarations, and with `--use-integrated-swift-driver` compile at the same time.
let inlined: Set = ["Base", "SQLite", "Evidence", "StoreModel", "Rendering"]

func settings(of target: String) -> [SwiftSetting] {
  var settings = strict
  if optimized.contains(target) {
    settings.append(.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
  }
  // A section per function lets the linker drop each one that nothing calls.
  settings.append(
    .unsafeFlags(
      (plain.contains(target) ? ["-Onone"] : []) + (inlined.contains(target) ? [] : ["-disable-cmo"])
        + ["-Xfrontend", "-function-sections"],
      .when(platforms: [.linux], configuration: .release)))
  return settings
}

// The files of Queries/ that the binary embeds; a test holds this list against the folder.
// SwiftPM embeds single files only, so each one is named.
let queries = [
  "changed-properties", "changes-by-author", "changes-by-day", "churn", "deleted-objects",
  "largest-transactions", "object-history", "transactions-without-author", "table-sizes",
  "records-by-state", "records-by-zone", "records-not-uploaded",
  "pending-by-author", "pending-by-entity", "pending-oldest",
  "errors-by-code", "events-by-day", "export-durations", "failed-exports",
]

// The files of Queries/fleet/, which it embeds too.
let fleetQueries = [
  "health", "common-findings", "blocked-by-cause", "blocked-stores", "wiped-by-next-launch",
  "pending-ages", "pending-by-reason",
  "errors-by-week", "history-growth", "model-versions", "framework-versions", "largest-entities",
  "writers-without-author", "duplicate-stores", "outliers", "failures-by-kind",
]

// Texts that the binary embeds: what `help` has besides commands, and what `explain` knows.
let topics = [
  "places", "terms", "sql", "views", "dates", "numbers", "pipes", "stdin", "operations", "options",
  "predicates", "commands",
]
let explanations = [
  "cloudkit-operations", "cloudkit-zones", "cocoa-mirroring", "cocoa-stores", "cocoa-migration",
  "cocoa-validation", "cocoa-unknown", "foundation-files", "foundation-connections", "sqlite", "swiftdata",
  "terms-history", "terms-records", "terms-syncing", "terms-launch", "terms-tool", "terms-states",
]

// Those of Queries/ that are the doctor's rules.
let rules = [
  "record-orphaned", "record-orphan-queued", "record-name-duplicated", "record-object-duplicated",
  "record-entity-unknown", "record-entity-mismatch", "record-without-zone", "record-never-acknowledged",
  "record-transaction-ahead", "record-pending-leftover", "record-delete-leftover", "metadata-key-duplicated",
  "metadata-control-left", "zone-import-stuck", "zone-needs-recovery", "link-stuck",
  "metadata-value-misplaced", "entity-never-acknowledged", "full-text-index-present", "event-setup-failing",
  "event-export-failing", "event-import-failing", "imports-only-at-launch", "event-quota-exceeded",
  "event-account-problem", "event-zone-deleted", "event-never-ended",
]

// The headers of its rules in code, next to them.
let ruleTexts = [
  "DeletionRules", "EventRules", "ExternalDataRules", "FileRules", "HistoryChangeWithoutRow",
  "HistoryGapRules", "HistoryProgramRules", "HistorySaveRules", "HistorySizeRules", "HistoryUpdateRules",
  "KeyRules", "LinkRules", "MirrorTableRules", "ModelRules", "ObjectOrphanedByOwner", "ObjectURIRules",
  "RecordRules", "RelationshipRules", "StoreRecreated", "TokenRules", "ValueInvalid", "WALRules",
]

func library(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings(of: name))
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: strict)
}

// macOS has SHA-256 in the system (CommonCrypto); Linux takes it from nettle. Swift's module of the C library has the
// functions for extended attributes on macOS only, and none for Linux's own prctl. On macOS,
// Core Foundation does what utf8proc does here, and there is no zstd.
#if os(Linux)
  let systemLibraries: [Target.Dependency] = ["CNettle", "CLinux", "CUtf8proc", "CXattr", "CZstd"]
  let systemTargets: [Target] = [
    .systemLibrary(name: "CNettle", providers: [.apt(["nettle-dev"])]), .systemLibrary(name: "CXattr"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
  ]
#else
  let systemLibraries: [Target.Dependency] = []
  let systemTargets: [Target] = []
#endif

let package = Package(
  name: "storescope",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "storescope", targets: ["storescope"])],
  targets: systemTargets + [
    // No `pkgConfig`: it gains nothing here and warns on some systems.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CArchive", providers: [.apt(["libarchive-dev", "liblzma-dev", "libbz2-dev"])]),
    .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),

    library("Base", systemLibraries),
    library("Archives", ["Base", "CZlib", "CExpat"]),
    library("SQLite", ["CSQLite", "Base"]),
    // What libarchive's static library needs behind it: of its own formats, zip and tar have it depend on these alone.
    .target(
      name: "Evidence", dependencies: ["CArchive", "SQLite", "Archives", "Base"],
      swiftSettings: settings(of: "Evidence"),
      linkerSettings: ["lzma", "bz2", "zstd", "nettle", "z"].map {
        .linkedLibrary($0, .when(platforms: [.linux], configuration: .release))
      }),
    library("StoreModel", ["Archives", "SQLite", "Base"]),
    library(
      "Explanations", ["Base"], resources: explanations.map { .embedInCode("Texts/\($0).txt") }),
    library(
      "Lens", ["Explanations", "Evidence", "StoreModel", "SQLite", "Archives", "Base"]),
    library(
      "Discovery",
      ["Evidence", "Lens", "StoreModel", "Archives", "SQLite", "Base"]),
    library(
      "QueryCatalog", ["Base"],
      resources: (queries + fleetQueries.map { "fleet/" + $0 }).map {
        .embedInCode("../../Queries/\($0).sql")
      }),
    library(
      "Diagnostics",
      ["Explanations", "Evidence", "Lens", "QueryCatalog", "StoreModel", "Archives", "SQLite", "Base"],
      resources: (rules.map { "../../Queries/\($0).sql" } + ruleTexts.map { "Rules/\($0).txt" })
        .map { .embedInCode($0) }),
    library(
      "Operations", ["Lens", "Evidence", "StoreModel", "Archives", "SQLite", "Base"]),
    library(
      "Redaction",
      ["Evidence", "Lens", "StoreModel", "Archives", "SQLite", "Base"]),
    library(
      "Comparison",
      ["Diagnostics", "Lens", "StoreModel", "Archives", "SQLite", "Base"]),
    library(
      "Rendering", ["Base"],
      resources: ["page.css", "page.js"].map { .embedInCode("Pages/\($0)") }),
    library(
      "Exports",
      ["Evidence", "Lens", "Rendering", "StoreModel", "Archives", "SQLite", "Base"]),
    library(
      "Reports",
      ["Lens", "Diagnostics", "Explanations", "Evidence", "Rendering", "StoreModel", "SQLite", "Base"]),
    library(
      "Fleet",
      [
        "Exports", "Reports", "Diagnostics", "Discovery", "Evidence", "Explanations", "Lens", "QueryCatalog",
        "Rendering", "StoreModel", "Archives", "SQLite", "Base",
      ]),
    library(
      "Commands",
      [
        "Evidence", "Lens", "QueryCatalog", "Explanations", "Diagnostics", "Operations", "Redaction",
        "Comparison", "Exports", "Reports", "Rendering", "StoreModel", "Archives", "SQLite", "Base",
        "Discovery", "Fleet",
      ],
      resources: (topics.map { "Topics/\($0).txt" }
        + ["completion.bash", "completion.zsh", "completion.fish", "storescope.1"].map {
          "Documentation/\($0)"
        })
        .map { .embedInCode($0) }),
    // GNU readline's static library needs the terminal library behind it; macOS has libedit under readline's name.
    .target(
      name: "Shell", dependencies: ["Commands", "CReadline", "Rendering", "Base"],
      swiftSettings: settings(of: "Shell"),
      linkerSettings: [.linkedLibrary("tinfo", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "storescope", dependencies: ["Commands", "Shell", "Base"],
      swiftSettings: settings(of: "storescope"),
      // A release holds all its libraries: relocating them would take half of a short command's time.
      linkerSettings: [
        // Without its symbols it is half as large, and nothing here unwinds a stack.
        .unsafeFlags(
          [
            "-static-executable", "-use-ld=lld", "-Xlinker", "-s",
            "-Xlinker", "-T", "-Xlinker", "\(Context.packageDirectory)/Sources/release.ld",
          ], .when(platforms: [.linux], configuration: .release))
      ]),

    // Makes stores as Core Data makes them, with the truth of what they hold.
    .target(
      name: "Forge", dependencies: ["StoreModel", "SQLite", "Archives", "Base"],
      path: "Tests/Forge", swiftSettings: settings(of: "Forge")),
    // Stores by the million rows, for tests and the benchmark. No part of TestSupport, which needs Swift Testing.
    .target(
      name: "Bulk", dependencies: ["Forge", "StoreModel", "Archives", "SQLite", "Base"], path: "Tests/Bulk",
      swiftSettings: settings(of: "Bulk")),
    // The program's code, ready to be forked, for tests that run it hundreds of times.
    .executableTarget(
      name: "forkserver", dependencies: ["Commands", "Shell", "Base"],
      path: "Tests/ForkServer",
      swiftSettings: settings(of: "forkserver")),
    .target(
      name: "TestSupport",
      dependencies: ["Lens", "Evidence", "Forge", "StoreModel", "Archives", "SQLite", "Base", "CZlib"]
        + systemLibraries, path: "Tests/TestSupport", swiftSettings: settings(of: "TestSupport")),
    tests("Base", ["Base"]),
    tests("Archives", ["Archives", "Forge", "Base", "Lens"]),
    tests("SQLite", ["SQLite", "Base"]),
    tests("Evidence", ["Evidence", "SQLite", "Base"]),
    tests("StoreModel", ["StoreModel", "Archives", "SQLite", "Base", "Lens", "Forge"]),
    tests(
      "Lens",
      [
        "Lens", "Diagnostics", "Explanations", "Evidence", "Rendering", "Forge", "StoreModel", "Archives",
        "SQLite", "Base", "Bulk",
      ]),
    tests("Architecture", []),
    tests("Words", ["Commands", "Shell", "Diagnostics", "Explanations", "Lens", "QueryCatalog"]),
    tests("Explanations", ["Explanations", "Lens", "Diagnostics", "StoreModel", "Base"]),
    tests("Rendering", ["Rendering", "Archives", "Base"], exclude: ["Snapshots"]),
    tests(
      "Exports",
      [
        "Bulk", "Exports", "Lens", "Evidence", "Forge", "Rendering", "StoreModel", "Archives", "SQLite",
        "Base",
      ]),
    tests(
      "Reports",
      ["Reports", "Diagnostics", "Rendering", "Lens", "Evidence", "Forge", "StoreModel", "Archives", "Base"]),
    tests("Forge", ["Bulk", "Forge", "StoreModel", "Archives", "SQLite", "Base", "Lens"]),
    tests(
      "Diagnostics",
      [
        "Bulk", "Diagnostics", "QueryCatalog", "Lens", "Evidence", "StoreModel", "Forge", "Redaction",
        "Archives", "SQLite", "Base",
      ]),
    tests(
      "Operations",
      ["Operations", "Lens", "Evidence", "Forge", "StoreModel", "Archives", "SQLite", "Base", "CSQLite"]),
    tests(
      "Redaction",
      ["Redaction", "Lens", "Evidence", "Forge", "StoreModel", "Archives", "SQLite", "Base"]),
    tests(
      "Comparison",
      ["Comparison", "Diagnostics", "Lens", "StoreModel", "Forge", "SQLite", "Base"]),
    tests(
      "Commands",
      [
        "Bulk", "Commands", "Diagnostics", "Evidence", "Lens", "Operations", "QueryCatalog", "Rendering",
        "Forge", "StoreModel", "SQLite", "Base", "CSQLite", "Explanations", "Archives",
      ]),
    tests("Shell", ["Shell", "Commands"]),
    tests(
      "EndToEnd",
      [
        "storescope", "forkserver", "Bulk", "Rendering", "Commands", "Evidence", "Discovery", "Fleet",
        "QueryCatalog", "Forge", "StoreModel", "Archives", "SQLite", "Base", "Lens",
      ],
      exclude: ["Snapshots"]),
    .executableTarget(
      name: "benchmark",
      dependencies: ["Archives", "Bulk", "Forge", "SQLite", "StoreModel", "Base"],
      path: "Tests/Benchmarks",
      swiftSettings: settings(of: "benchmark")),
  ],
  swiftLanguageModes: [.v6]
)

// A misspelled one would only be slower.
let unknown = optimized.union(plain).union(inlined).subtracting(package.targets.map(\.name))
precondition(unknown.isEmpty, "no targets: \(unknown)")
