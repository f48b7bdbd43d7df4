import { runInOneStretch, unlimited } from "../budget/Budget.ts"
import { plainPasses } from "./PlainText.ts"
import { type Look, looking } from "./TextLook.ts"

/** Names of currencies that follow a number, singular and plural, in common languages. */
const names = [
  "dollars?|bucks?|quid|cents?|pence|euros?|pounds?(?!\\s+of\\b)|francs?|francos?|franken|rappen|kronor|kroner?|kr",
  "d[oó]lar(?:es)?|pesos?|reais|libras?|livres?|rupees?|rupien|yen|yuan|rmb|z[lł]|z[lł]ot(?:y|e|ych)|k[cč]|forint|ft",
  "рубл(?:ей|я|ь)|руб|доллар(?:ов|а)?|евро|гривен|грн|лева?|lei|lira|lir[ea]|tl|dirhams?|shekels?|rand|baht|円|元|块|원|บาท"
].join("|")

/** ISO 4217 codes. After a number they match in any case, before a number only in capitals. */
const codes = "usd|eur|gbp|cad|aud|nzd|chf|jpy|cny|inr|brl|mxn|zar|sek|nok|dkk|pln|czk|huf|ron|uah|ils|aed|sgd|hkd"
const capitals = codes.toUpperCase().replace("|CAD", "").replace("|INR", "")

/**
 * Matches a number in the usual forms of amounts: with separators, with spaces between digits, and with a multiplier
 * after it.
 */
const amount = "\\d(?:[\\d.,'’\\s]{0,20}\\d)?(?:\\s?(?:k|m|mio|mn|tsd|thousand|million|mil|тыс)\\b)?"

/** Matches a number in words before the name of a currency. */
const spelled =
  "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|grand|hundert|tausend|zwanzig|dreißig|vierzig|fünfzig|cien|ciento|cientos|mil|cent|cents|mille|cento|сто|тысяч)"

/**
 * Adds the condition that no letter or digit directly precedes the pattern (`apart`) or follows it (`ended`). Otherwise
 * the match is part of another word.
 */
const apart = (pattern: string): string => `(?<![\\p{L}\\p{N}])(?:${pattern})`
const ended = (pattern: string): string => `(?:${pattern})(?![\\p{L}\\p{N}])`

const sign = "[\\p{Sc}\\u{1f4b2}]"
const patterns: ReadonlyArray<RegExp> = [
  // $500, € 500, US$ 500, R$50
  new RegExp(`${sign}\\s?\\d`, "gu"),
  // 500 €, 5 0 0 $, 1.500,-€
  new RegExp(`\\d[.,]?[-–—]{0,2}\\s?(?:k\\s?)?${sign}`, "gu"),
  // 500 dollars, five hundred (500) dollars, 20k usd
  new RegExp(`${apart(amount)}\\s?[)\\]]?\\s?[-–—]?\\s?${ended(`${names}|${codes}`)}`, "giu"),
  // USD 500, EUR: 500
  new RegExp(`${apart(capitals)}[:.]?\\s?\\d`, "gu"),
  // Rs. 500, kr 500
  new RegExp(`${apart("rs|kr|zł|fr|sfr")}\\.?\\s?\\d`, "giu"),
  // five hundred dollars; not "my two cents"
  new RegExp(`${apart(spelled)}\\s?${ended(names)}(?<!cents?|pence)`, "giu"),
  // $ five hundred
  new RegExp(`${sign}\\s?${ended(spelled)}`, "giu"),
  // price: 500, the fee is 500
  new RegExp(
    `${apart("price|cost|costs|fee|preis|kosten|precio|costo|prix|prezzo|preço|цена")}\\s?(?:is|are|of|was|:|=|beträgt|ist|es|est|è|é)\\s?\\d{2}`,
    "giu"
  )
]

/** Finds amounts of money in digits or words, next to a currency sign, a currency code or the name of a currency. */
export const lookForPrice: Look = { passes: plainPasses, searches: patterns.map((pattern) => ({ pattern })) }

/** Returns true when a text contains an amount of money. Runs without interruption. */
export const containsPrice = (text: string): boolean => runInOneStretch(looking(text, lookForPrice, unlimited(), 0))
