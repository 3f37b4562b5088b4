import Diagnostics
import Explanations

extension DocumentTable {
  /// Judgments, and what they mean.
  static let diagnosisShapes = [doctor, preflight, explain, rules]

  private static let doctor = DocumentShape(
    "doctor",
    [
      DocumentShape.Form("of one store", payload: "findings", SharedShapes.diagnosis),
      DocumentShape.Form(
        "of several stores", store: .never, payload: "stores",
        [
          .init(
            "stores",
            .list(
              .either([
                .object([.init("store", SharedShapes.store, "the store")] + SharedShapes.diagnosis),
                .object([
                  .init("store", SharedShapes.store, "the store"),
                  .init("failure", .text, "why it can't be read"),
                ]),
              ])), "what there is to say of each")
        ]),
    ])

  private static let step: [Shape.Key] = [
    .init("step", .words(LaunchForecast.Stage.self), "the step, in the framework's order"),
    .init("outcome", .words(LaunchForecast.Outcome.self), "what it comes to"),
    .init("code", .text.orNull, "the error that it ends in, as 'explain' takes it"),
    .init("because", .text, "why"),
    .init("sure", .bool, "whether the store decides it, and not also the server, the account or the app"),
    .init("fix", .text.orNull, "what to do before the launch"),
    .init(
      "reasons",
      .list(
        .object([
          .init("because", .text, "why"), .init("code", .text.orNull, "the error that it would end in"),
          .init("fix", .text.orNull, "what to do about it"),
        ])), "all obstacles or losses, if 'because' can't list them"),
  ]

  private static let preflight = DocumentShape(
    "preflight", payload: "steps",
    [
      .init("steps", .list(.object(step)), "what the launch does"),
      .init("verdict", .words(LaunchForecast.Verdict.self), "what it comes to"),
    ])

  private static let explanation: [Shape.Key] = [
    .init("subject", .text, "the error, the rule or the term"), .init("name", .text, "its name"),
  ]

  private static let meaning: [Shape.Key] = [
    .init("meaning", .text, "what it means"),
    .init("causes", SharedShapes.texts, "what leads to it, the most likely first"),
    .init("advice", .text, "what to do about it"),
    .init("sources", SharedShapes.texts, "what the explanation is based on"),
  ]

  private static let resolutions: [Explanation.Resolution] = [.yes(""), .sometimes(""), .no("")]

  private static let explain = DocumentShape(
    "explain", store: .never, payload: "explanations",
    [
      .init(
        "explanations",
        .list(
          .either([
            .object(
              explanation + [
                .init("domain", .text.orNull, "an error's domain"),
                .init("code", .integer.orNull, "an error's code"),
              ] + meaning + [
                .init(
                  "resolvesItself", Shape.words(resolutions.compactMap(\.answer)).orNull,
                  "whether it goes away without anybody's doing; null for what is no problem"),
                .init("resolution", .text.orNull, "how it does"),
                .init("isNoise", .bool, "it is harmless if later runs succeed"),
                .init("certainty", .words(Explanation.Certainty.self), "how sure the meaning is"),
              ]),
            .object(
              explanation + meaning + [
                .init("severity", SharedShapes.severity, "how bad it is"),
                .init("nextLaunch", .text, "what the app's next launch does about it"),
                .init("falsePositives", .text, "when the rule finds what is no problem"),
              ]),
          ])), "several if the word is ambiguous; errors and terms, and the doctor's rules")
    ])

  private static let rules = DocumentShape(
    "rules", store: .never, payload: "rules",
    [
      .init(
        "rules",
        .list(
          .object([
            .init("rule", .text, "its id"), .init("severity", SharedShapes.severity, "how bad it is"),
            .init("title", .text, "what it finds, in a few words"),
            .init("looksFor", .text, "what it looks for"), .init("why", .text, "why it matters"),
            .init("nextLaunch", .text, "what the app's next launch does about it"),
            .init("remedy", .text, "how to fix it"),
            .init("needs", SharedShapes.texts, "what a store must have"),
            .init("falsePositives", .text, "when it finds what is no problem"),
            .init("evidence", .text, "how sure it is, and why"),
            .init(
              "thresholds",
              .list(
                .object([
                  .init("name", .text, "what --set takes"), .init("default", .number, "its value"),
                  .init("meaning", .text, "what it is"),
                ])), "numbers that --set changes"),
            .init("sql", .text.orNull, "its query, if it is one"),
          ])), "the doctor's rules")
    ])
}
