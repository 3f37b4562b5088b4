/// Readers are American, and so are the field's own names: `unanalyzed`, `--color`.
enum BritishSpelling {
  static func isFound(in word: String) -> Bool {
    if words.contains(word) { return true }
    guard let ending = endings.first(where: { word.hasSuffix($0) }) else { return false }
    let stem = word.dropLast(ending.count).split(separator: "-").last ?? ""
    return stem.count > 1 && !stem.hasSuffix("w") && !american.contains(String(stem))
  }

  private static let endings = ["ise", "ised", "ises", "ising", "isation", "isations"]

  /// What precedes these endings in words that Americans write with an s, too; those in -wise aside.
  private static let american: Set = [
    "advert", "adv", "ar", "conc", "compr", "comprom", "dev", "disgu", "exc", "exerc", "expert", "gu",
    "improv",
    "no", "pra", "prec", "prem", "prom", "ra", "rev", "superv", "surpr", "telev", "br", "cru", "upr", "po",
  ]

  private static let words: Set = [
    "colour", "colours", "coloured", "colouring", "behaviour", "behaviours", "favour", "favourite", "honour",
    "honours", "honoured", "neighbour", "neighbours", "neighbouring", "labour", "rumour", "analyse",
    "analysed",
    "analysing", "licence", "defence", "centre", "centres", "centred", "metre", "metres", "fibre",
    "cancelled",
    "cancelling", "labelled", "labelling", "modelled", "modelling", "travelled", "travelling", "signalled",
    "signalling", "marshalled", "levelled", "totalled", "unlabelled", "grey", "greyed", "catalogue",
    "catalogues", "whilst", "amongst", "learnt", "spelt", "burnt", "artefact", "artefacts", "programme",
    "fulfil", "fulfils", "afterwards", "towards", "judgement", "ageing", "sceptical", "manoeuvre",
  ]
}
