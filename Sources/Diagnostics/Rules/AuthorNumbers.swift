/// Short numbers for authors, for states of very many objects. More than 65,535 authors share the last number.
struct AuthorNumbers {
  private var numbers: [String?: UInt16] = [:]
  private var names: [String?] = []
  private var last: (author: String?, number: UInt16)?

  var count: Int { names.count }

  mutating func number(of author: String?) -> UInt16 {
    if let last, last.author == author { return last.number }
    var number = UInt16(clamping: names.count)
    if let known = numbers[author] {
      number = known
    } else if names.count <= Int(UInt16.max) {
      numbers[author] = number
      names.append(author)
    }
    last = (author, number)
    return number
  }

  func name(_ number: UInt16) -> String? { Int(number) < names.count ? names[Int(number)] : nil }
}
