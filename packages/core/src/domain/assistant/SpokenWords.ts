/** The number words that occur in times and dates. */
const units: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19
}

const tens: Readonly<Record<string, number>> = { twenty: 20, thirty: 30, forty: 40, fifty: 50 }

const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
  thirtieth: 30
}

const suffixes = ["th", "st", "nd", "rd"]

/** Formats an ordinal, for example `3rd`. */
const ordinal = (day: number): string => {
  const suffix = day > 10 && day < 20 ? "th" : (suffixes[day % 10] ?? "th")
  return `${day}${suffix}`
}

/** Returns the number that one or two words mean, and how many of these words it uses. Returns null for other words. */
const numberAt = (words: ReadonlyArray<string>, at: number): readonly [string, number] | null => {
  const [word = "", next = ""] = words.slice(at, at + 2)
  const ten = tens[word]
  if (ten !== undefined) {
    const [unit, nth] = [units[next] ?? 10, ordinals[next] ?? 10]
    if (unit < 10) return [String(ten + unit), 2]
    return nth < 10 ? [ordinal(ten + nth), 2] : [String(ten), 1]
  }
  const [unit, nth, minute] = [units[word], ordinals[word], units[next] ?? 10]
  // For example "nine oh five".
  if ((word === "oh" || word === "o") && minute < 10) return [`0${minute}`, 2]
  if (unit !== undefined) return [String(unit), 1]
  return nth === undefined ? null : [ordinal(nth), 1]
}

/** Replaces number words with digits: `half past three` becomes `half past 3`, and `twenty-first` becomes `21st`. */
const withDigits = (text: string): string => {
  const words = text.split(" ")
  const read: Array<string> = []
  for (let at = 0; at < words.length;) {
    const [number, length] = numberAt(words, at) ?? [words[at] ?? "", 1]
    read.push(number)
    at += length
  }
  return read.join(" ")
}

/** Replacements of variant spellings, in the order of their application. */
const spellings: ReadonlyArray<readonly [RegExp, string]> = [
  [/[’‘`´]/gu, "'"],
  [/\bo'? ?clock\b/gu, "oclock"],
  [/\b([ap])\. ?m\b\.?/gu, "$1m"],
  [/(\d) ?([ap]) ?m\b/gu, "$1 $2m"],
  [/\b([ap]) m\b/gu, "$1m"],
  [/(\d)oclock\b/gu, "$1 oclock"],
  [/([a-z])-(?=[a-z])/gu, "$1 "],
  [/[,;!?]|\.(?=\s|$)/gu, " "],
  [/\s+/gu, " "]
]

/** Normalises an expression: lower case, single spaces, numbers as digits. Linear in the length of the text. */
export const plainExpression = (spoken: string): string =>
  withDigits(
    spellings.reduce((text, [from, to]) => text.replace(from, to), ` ${spoken.normalize("NFKC").toLowerCase()} `).trim()
  )
