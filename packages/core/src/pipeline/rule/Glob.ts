/** A pattern looks at this many characters of a value and no more: the bound on what a hostile text can cost. */
const maxTextLength = 4_096

/**
 * A test for a pattern in which `*` stands for any run of characters and `?` for one; everything else stands for itself
 * and the whole text has to fit. Users write these, so there are no regular expressions: the worst case is pattern
 * length times 4,096 steps. Longer texts are cut before they are compared.
 */
export const globTest = (pattern: string): ((text: string) => boolean) => {
  const length = pattern.length
  return (whole) => {
    const text = whole.length > maxTextLength ? whole.slice(0, maxTextLength) : whole
    let at = 0
    let inPattern = 0
    let star = -1
    let resume = 0
    while (at < text.length) {
      if (inPattern < length && pattern[inPattern] === "*") {
        star = inPattern++
        resume = at
      } else if (inPattern < length && (pattern[inPattern] === "?" || pattern[inPattern] === text[at])) {
        inPattern++
        at++
      } else if (star >= 0) {
        // Give the last star one character more and try again from there.
        inPattern = star + 1
        at = ++resume
      } else {
        return false
      }
    }
    while (inPattern < length && pattern[inPattern] === "*") inPattern++
    return inPattern === length
  }
}
