// swift-tools-version: 6.2
import PackageDescription

// One list, so that no target is laxer than another.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// The files of Queries/ that the binary embeds; a test holds this list against the folder.
// SwiftPM embeds single files only, so each one is named.
let queries = [
  "changed-properties", "changes-by-author", "changes-by-day", "churn", "deleted-objects",
  "largest-transactions", "object-history", "table-sizes", "transactions-without-author",
]

// Those of them that are the doctor's rules.
let rules = [
  "record-orphaned", "record-orphan-queued", "record-name-duplicated", "record-object-duplicated",
  "record-entity-unknown", "record-entity-mismatch", "record-without-zone", "record-never-acknowledged",
  "record-transaction-ahead", "record-pending-leftover", "record-delete-leftover", "metadata-key-duplicated",
  "metadata-control-left", "zone-import-stuck", "zone-needs-recovery", "link-stuck", "event-never-ended",
]

func library(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: settings)
}

// macOS has SHA-256 in the system (CommonCrypto); Linux takes it from nettle. Swift's module of the C library has the
// functions for extended attributes on macOS only.
#if os(Linux)
  let systemLibraries: [Target.Dependency] = ["CNettle", "CXattr"]
  let systemTargets: [Target] = [
    .systemLibrary(name: "CNettle", providers: [.apt(["nettle-dev"])]), .systemLibrary(name: "CXattr"),
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
    .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),

    library("Values", systemLibraries),
    library("Archives", ["Values", "CZlib", "CExpat"]),
    library("SQLite", ["CSQLite", "Values"]),
    library("Evidence", ["SQLite", "Values"]),
    library("StoreModel", ["Archives", "SQLite", "Values"]),
    library("Explanations", ["Values"]),
    library("Lens", ["Explanations", "StoreModel", "SQLite", "Archives", "Values"]),
    library(
      "QueryCatalog", [], resources: queries.map { .embedInCode("../../Queries/\($0).sql") }),
    library(
      "Diagnostics",
      [
        "Explanations", "Evidence", "Lens", "QueryCatalog", "StoreModel", "Archives",
        "SQLite",
        "Values",
      ],
      resources: rules.map { .embedInCode("../../Queries/\($0).sql") }),
    library(
      "Operations", ["Lens", "Evidence", "StoreModel", "Archives", "SQLite", "Values"]),
    library(
      "Redaction",
      ["Operations", "Lens", "Evidence", "StoreModel", "Archives", "SQLite", "Values"]),
    library(
      "Comparison",
      [
        "Diagnostics", "Evidence", "Lens", "StoreModel", "Archives", "SQLite", "Values",
      ]),
    library("Rendering", ["Values"]),
    library(
      "Exports",
      ["Evidence", "Lens", "Rendering", "StoreModel", "Archives", "SQLite", "Values"]),
    library(
      "Reports",
      [
        "Lens", "Diagnostics", "Explanations", "Evidence", "Rendering", "StoreModel", "SQLite",
        "Values",
      ]),
    library("Forge", ["StoreModel", "SQLite", "Archives", "Values"]),
    library(
      "Commands",
      [
        "Evidence", "Lens", "QueryCatalog", "Explanations", "Diagnostics", "Operations",
        "Redaction",
        "Comparison", "Exports", "Reports", "Rendering", "Forge",
        "StoreModel",
        "Archives", "SQLite", "Values",
      ]),
    // GNU readline's static library needs the terminal library behind it; macOS has libedit under readline's name.
    .target(
      name: "Shell", dependencies: ["Commands", "CReadline", "Rendering", "Values"], swiftSettings: settings,
      linkerSettings: [.linkedLibrary("tinfo", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "storescope", dependencies: ["Commands", "Shell", "Values"], swiftSettings: settings,
      // A release holds all its libraries: relocating them would take half of a short command's time.
      linkerSettings: [
        // Without its symbols it is half as large.
        .unsafeFlags(
          ["-static-executable", "-Xlinker", "-s"], .when(platforms: [.linux], configuration: .release))
      ]),

    // Stores by the million rows, for tests and the benchmark. No part of TestSupport, which needs Swift Testing.
    .target(
      name: "Bulk", dependencies: ["Forge", "StoreModel", "Archives", "SQLite", "Values"], path: "Tests/Bulk",
      swiftSettings: settings),
    // The program's code, ready to be forked, for tests that run it hundreds of times.
    .executableTarget(
      name: "forkserver", dependencies: ["Commands", "Shell", "Values"], path: "Tests/ForkServer",
      swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["Lens", "Evidence", "Forge", "StoreModel", "Archives", "SQLite", "Values"],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("Values", ["Values"]),
    tests("Archives", ["Archives", "Values"]),
    tests("SQLite", ["SQLite", "Values"]),
    tests("Evidence", ["Evidence", "SQLite", "Values"]),
    tests("StoreModel", ["StoreModel", "Evidence", "Archives", "SQLite", "Values"]),
    tests(
      "Lens",
      [
        "Lens", "Diagnostics", "Explanations", "Evidence", "Rendering", "Forge", "StoreModel", "Archives",
        "SQLite",
        "Values",
      ]),
    tests("Architecture", []),
    tests("Explanations", ["Explanations", "Lens", "Diagnostics", "StoreModel"]),
    tests("Rendering", ["Rendering", "Archives", "Values"], exclude: ["Snapshots"]),
    tests("Exports", ["Exports", "Evidence", "Forge", "Rendering", "StoreModel", "SQLite", "Values"]),
    tests(
      "Reports", ["Reports", "Diagnostics", "Rendering", "Lens", "Evidence", "Forge", "StoreModel", "Values"]),
    tests("Forge", ["Bulk", "Forge", "StoreModel", "Archives", "SQLite", "Values"]),
    tests(
      "Diagnostics",
      [
        "Bulk", "Diagnostics", "QueryCatalog", "Lens", "Evidence", "StoreModel", "Forge",
        "Redaction", "Archives", "SQLite",
        "Values",
      ]),
    tests(
      "Operations",
      [
        "Operations", "Lens", "Evidence", "Forge", "StoreModel", "Archives", "SQLite", "Values",
        "CSQLite",
      ]),
    tests(
      "Redaction", ["Redaction", "Evidence", "Forge", "StoreModel", "Archives", "SQLite", "Values"]),
    tests(
      "Comparison",
      [
        "Comparison", "Diagnostics", "Lens", "Evidence", "StoreModel", "Forge", "SQLite",
        "Values",
      ]),
    tests(
      "Commands",
      [
        "Commands", "Diagnostics", "Evidence", "Operations", "QueryCatalog", "Rendering", "Forge",
        "StoreModel", "SQLite", "Values",
      ]),
    tests("Shell", ["Shell", "Commands", "Rendering", "Values"]),
    tests(
      "EndToEnd",
      [
        "storescope", "forkserver", "Bulk", "Commands", "Forge", "StoreModel", "Archives", "SQLite", "Values",
      ],
      exclude: ["Snapshots"]),
    .executableTarget(
      name: "benchmark", dependencies: ["Bulk", "Forge", "SQLite", "StoreModel", "Values"],
      path: "Tests/Benchmarks",
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
