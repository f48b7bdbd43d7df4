import type { KnownIntent, Sentiment, Urgency } from "../Classification.ts"
import type { Category, Occurrence } from "./Lexicon.ts"
import { compileLexicon, findPhrases } from "./Lexicon.ts"
import { english } from "./English.ts"
import { french } from "./French.ts"
import { german } from "./German.ts"
import { italian } from "./Italian.ts"
import { spanish } from "./Spanish.ts"
import { type Tokens, tokensOf } from "./Tokens.ts"

// Version 2 of the built-in classifier: phrases with inflections and negation in English, German, French, Spanish and
// Italian. The language is not detected; a phrase counts in every text.

const lexicon = compileLexicon([english, german, french, spanish, italian])

/**
 * The intents in order of precedence, with the weight of one phrase. If two intents have equal weight, the first one
 * wins. A missed opt-out is worse than a missed sale, so `unsubscribe` comes first.
 */
const intents: ReadonlyArray<readonly [intent: KnownIntent, weights: Readonly<Partial<Record<Category, number>>>]> = [
  ["unsubscribe", { unsubscribe: 3 }],
  ["cancellation", { cancellation: 2 }],
  ["complaint", { complaint: 2 }],
  ["pricing", { pricing: 1 }],
  ["booking", { booking: 1 }],
  ["purchase", { purchase: 1 }],
  ["support", { emergency: 2, support: 1 }],
  ["information", { information: 1 }],
  ["spam", { spam: 2 }]
]

/** The number of spam phrases that make a message spam. A single spam phrase also occurs in honest questions. */
const minSpamPhrases = 2

/** The number of words before a phrase in which a negating word negates it. */
const negationReach = 4

/** Words that also negate a phrase that stands shortly before them, such as `kündige nicht` and `annule pas`. */
const laterNegations: ReadonlySet<string> = new Set(["nicht", "kein", "keine", "pas"])
const laterReach = 2

/** The categories that a later negation concerns. In the others, it usually describes a problem. */
const laterNegated: ReadonlySet<Category> = new Set<Category>(["cancellation", "complaint", "emergency", "urgent"])

const positionsOf = (found: ReadonlyArray<Occurrence>, category: Category): Set<number> => {
  const positions = new Set<number>()
  for (const one of found) {
    if (one.category === category) for (let at = one.from; at <= one.to; at++) positions.add(at)
  }
  return positions
}

/** Returns a function that tells whether an occurrence is negated. */
const negationIn = ({ clauses, words }: Tokens, found: ReadonlyArray<Occurrence>): ((of: Occurrence) => boolean) => {
  const negations = positionsOf(found, "negation")
  if (negations.size === 0) return () => false
  for (const at of positionsOf(found, "noNegation")) negations.delete(at)
  return ({ category, from, to }) => {
    for (let at = from - 1; at >= from - negationReach && clauses[at] === clauses[from]; at--) {
      if (negations.has(at)) return true
    }
    if (!laterNegated.has(category)) return false
    for (let at = to + 1; at <= to + laterReach && clauses[at] === clauses[to]; at++) {
      if (negations.has(at) && laterNegations.has(words[at] ?? "")) return true
    }
    return false
  }
}

/** The number of different phrases of each category: stated and negated. */
interface Counts {
  readonly stated: (category: Category) => number
  readonly negated: (category: Category) => number
}

const countsOf = (tokens: Tokens): Counts => {
  const found = findPhrases(lexicon, tokens)
  const isNegated = negationIn(tokens, found)
  const resolved = new Set(
    found.flatMap(({ category, from }) => (category === "resolved" ? [tokens.sentences[from]] : []))
  )
  const stated = new Map<Category, Set<number>>()
  const negated = new Map<Category, Set<number>>()
  for (const one of found) {
    const isOver = one.category === "emergency" && resolved.has(tokens.sentences[one.from])
    if (isOver) continue
    const counted = isNegated(one) ? negated : stated
    const ids = counted.get(one.category)
    if (ids === undefined) counted.set(one.category, new Set([one.id]))
    else ids.add(one.id)
  }
  return {
    stated: (category) => stated.get(category)?.size ?? 0,
    negated: (category) => negated.get(category)?.size ?? 0
  }
}

const intentOf = ({ stated }: Counts): { readonly intent: KnownIntent; readonly confidence: number } => {
  let best: { readonly intent: KnownIntent; readonly weight: number } = { intent: "other", weight: 0 }
  let total = 0
  for (const [intent, weights] of intents) {
    if (intent === "spam" && stated("spam") < minSpamPhrases) continue
    let weight = 0
    for (const category of ["emergency", intent] as const) {
      if (category !== "other") weight += stated(category) * (weights[category] ?? 0)
    }
    total += weight
    if (weight > best.weight) best = { intent, weight }
  }
  // The weight of the winner divided by all weights plus one: one phrase of weight 1 gives 0.5, three give 0.75.
  const confidence = best.weight === 0 ? 0.2 : best.weight / (total + 1)
  return { intent: best.intent, confidence: Math.round(confidence * 100) / 100 }
}

const urgencyOf = ({ negated, stated }: Counts, text: string): Urgency => {
  // An emergency decides even if the sender adds "no rush".
  if (stated("emergency") > 0) return "high"
  if (stated("unhurried") > 0 || (negated("urgent") > 0 && stated("urgent") === 0)) return "low"
  return stated("urgent") > 0 || text.includes("!!") ? "high" : "medium"
}

const sentimentOf = ({ negated, stated }: Counts): Sentiment => {
  // Negative feelings have double weight, because complaints often end with thanks.
  const sum = stated("positive") - negated("positive") - 2 * stated("negative") + negated("negative")
  return sum > 0 ? "positive" : sum < 0 ? "negative" : "neutral"
}

/** Classifies a message by the phrases of five languages. `text` is the text without the subject. */
export const classifyByLexicon = (text: string, subject: string | null) => {
  const counts = countsOf(tokensOf(`${subject ?? ""}\n${text}`))
  return { ...intentOf(counts), urgency: urgencyOf(counts, text), sentiment: sentimentOf(counts) }
}
