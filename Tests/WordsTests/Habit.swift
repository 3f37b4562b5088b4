/// A way of writing that reads like a translation, a term that has another name here, or British spelling.
struct Habit {
  /// Words with one blank between them, in lower case: `a|b` is either word, `!a` any other, `*` any one, `…` an
  /// interpolated value, `^` the beginning of a sentence, `$` its end. Punctuation is a word.
  let phrases: [String]
  /// What to write.
  let instead: String
  /// Whether comments are held to it as well. Developers write "the parser knows" among themselves.
  var isForComments = true

  init(_ phrases: String..., instead: String, isForComments: Bool = true) {
    self.phrases = phrases
    self.instead = instead
    self.isForComments = isForComments
  }

  static let all = [
    Habit(
      "one|a|an|1 row|line|file|finding|column|block|page|lookup|table|result|entry|query a|an|one *",
      instead: "one row PER record"),
    Habit(
      "tells", "told", "!^ can't|cannot tell", "doesn't|don't tell",
      instead: "shows, reports, lists; \"the file doesn't record it\""),
    Habit(
      "says", "said", "say how|that|what|whether|which", "knows", "names a|an|the|one|no|every|each",
      instead: "shows, reports, lists", isForComments: false),
    Habit("what waits", "what is|was waiting", instead: "pending changes"),
    Habit("what stays", "what remains", "what becomes", instead: "what's kept; what happens to"),
    Habit(
      "and|or|with|see|by what to do", "what to do $", "what to do ,", instead: "fix", isForComments: false),
    Habit("mend|mends|mended|mending", instead: "fix, repair"),
    Habit(
      "put|puts|putting back|right", "put|puts|putting it|them|one|that back|right",
      "put|puts|putting a|an|the|this|that * back|right", instead: "restore, fix, clean up"),
    Habit(
      "^ where !is|are|was|were|do|does|did", "where it|they|that|this isn't|aren't|wasn't|weren't",
      "where there is|are no|none|nothing", "where nothing|none|no *",
      instead: "If X, Y", isForComments: false),
    Habit(
      "shall", "!what is|are|was|were|isn't|aren't to be", "be had", "has|have|had no use", "no use for",
      instead: "must, will, isn't available, unexpected"),
    Habit("beside", "besides", instead: "next to, in addition"),
    Habit("past core data", instead: "outside Core Data, bypassing Core Data"),
    // Among developers a buffer has room.
    Habit("room", instead: "disk space, uses space", isForComments: false),
    Habit("nothing lists|gives|prints|asks|chooses|takes", instead: "omit it to list them"),
    Habit("by half", instead: "incomplete"),
    Habit("for ever", instead: "permanently, forever"),
    Habit("anew", "once more", instead: "again"),
    Habit("meanwhile", instead: "in the meantime", isForComments: false),
    Habit("by itself|themselves", instead: "on its own, automatically", isForComments: false),
    Habit("only noise", instead: "harmless, can be ignored", isForComments: false),
    Habit("sign of life", instead: "the newest timestamp"),
    Habit("time stamp", "time stamps", instead: "timestamp"),
    Habit("waits|waiting|wait to be", "waits|waiting|wait for cloudkit|upload|export", instead: "is pending"),
    Habit(
      "analyzed", "analysed", instead: "processed (but the field's own `unanalyzed`)", isForComments: false),
    Habit("heal|heals|healed", instead: "resolve"),
    Habit("^|the|its|all data are", instead: "data is"),
    Habit(
      "^|the|this|that|it !there is|was no !longer|more|such", "^|it|this|that is|was no !longer|more|such",
      "it|they|this|that|which is|are none",
      instead: "isn't a", isForComments: false),
    Habit(
      "verdict|state|status|result : ^ notMirrored|neverSetUp|onServer|deletedHere|localOnly|pendingUpload|waiting|idle",
      instead: "the answer in plain words; the code word belongs in JSON", isForComments: false),
    Habit("likeliest", instead: "most likely"),
    Habit(
      "lies|lie|lay in|at|outside|under|below|next|only|there", "stands|stand in|at|there|behind",
      instead: "is in", isForComments: false),
    Habit("passed|passes over", instead: "ignored"),
    Habit(
      "isn't|aren't|not meant", "isn't|aren't|not judged", instead: "is ignored, isn't checked",
      isForComments: false),
    Habit("is|are|gets|get doubled", "nothing is doubled", instead: "duplicated"),
    Habit("is|isn't|are|aren't whole", instead: "intact, complete", isForComments: false),
    Habit("turn|turned|turns it|them round", "turned round", instead: "reversed, flipped"),
    Habit("goes|go on although", "on top .", instead: "proceed even though"),
    Habit("nothing is known", "known here", instead: "unknown", isForComments: false),
    Habit("half-way", instead: "partway"),
    Habit(
      "^ of other|others|two", instead: "begin with the subject",
      isForComments: false),
    Habit("exclude each other", instead: "can't be combined"),
    Habit("something|anything|nothing else than", instead: "something other than"),
    Habit(
      "of long ago", "called so", "in the end $|.", instead: "old; named X; when it ends",
      isForComments: false),
    Habit("2 times in a row", instead: "twice in a row"),
    // Counts get their plural from one function, which a value before a fixed noun doesn't.
    Habit(
      "1 rows|objects|times|days|changes|records|findings|files|entities|transactions|failures|runs|exports",
      "0 seconds|minutes|hours|days|times", "( s )", instead: "plurals and zero handled", isForComments: false
    ),
    Habit(
      "!than|the|its|most|least|all|last|up|hold|holds … rows|objects|times|days|hours|changes|records|findings|zones|entities",
      "!than|the|its|most|least|all|last|up|hold|holds … transactions|failures|exports|events|setups|commits|properties|links",
      instead: "Sentence.count, which handles one and many", isForComments: false),
  ]
}
