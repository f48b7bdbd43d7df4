import type { KnownIntent, Sentiment, Urgency } from "./Classification.ts"
import * as Vocabulary from "./Vocabulary.ts"
import { countPhrases, hasPhrase, indexWords, type Phrase, phraseOf, type WordIndex } from "./Words.ts"

/**
 * Version 1 of the built-in classifier. Replays of the runs of older releases need it, so neither its word lists nor its
 * code may change. Its limits:
 *
 * - English only. Other languages give `other` with low confidence.
 * - No grammar, except a negation shortly before a feeling.
 * - One intent per message: the intent with the most words.
 * - No implied meaning.
 */
const intents: ReadonlyArray<{ readonly intent: KnownIntent; readonly phrases: ReadonlyArray<Phrase> }> = [
  // In order of precedence: if two intents match equally many words, the first one wins. `unsubscribe` comes first,
  // because a missed opt-out is worse than a missed sale.
  { intent: "unsubscribe", phrases: Vocabulary.unsubscribe },
  { intent: "cancellation", phrases: Vocabulary.cancellation },
  { intent: "complaint", phrases: Vocabulary.complaint },
  { intent: "pricing", phrases: Vocabulary.pricing },
  { intent: "booking", phrases: Vocabulary.booking },
  { intent: "purchase", phrases: Vocabulary.purchase },
  { intent: "support", phrases: Vocabulary.support },
  { intent: "information", phrases: Vocabulary.information },
  { intent: "spam", phrases: Vocabulary.spam }
]

/** The number of spam phrases that make a message spam. A single spam phrase also occurs in honest questions. */
const spamWords = 2

const intentOf = (words: WordIndex): { readonly intent: KnownIntent; readonly confidence: number } => {
  let best: { readonly intent: KnownIntent; readonly hits: number } = { intent: "other", hits: 0 }
  let total = 0
  for (const { intent, phrases } of intents) {
    const found = countPhrases(words, phrases)
    const hits = intent === "spam" && found < spamWords ? 0 : found
    total += hits
    if (hits > best.hits) best = { intent, hits }
  }
  // The confidence is the number of the winner's matches, divided by all matches plus one. 1 of 1 gives 0.5, 3 of 3
  // gives 0.75, 1 of 4 gives 0.2.
  const confidence = best.hits === 0 ? 0.2 : best.hits / (total + 1)
  return { intent: best.intent, confidence: Math.round(confidence * 100) / 100 }
}

const urgencyOf = (words: WordIndex, text: string): Urgency => {
  if (countPhrases(words, Vocabulary.unhurried) > 0) return "low"
  return countPhrases(words, Vocabulary.urgent) > 0 || text.includes("!!") ? "high" : "medium"
}

const negations = ["not", "not very", "not at all", "never", "no", "isnt", "wasnt", "arent", "dont", "didnt", "hardly"]

/** A feeling, and the phrases that deny it. */
interface Feeling {
  readonly phrase: Phrase
  readonly denials: ReadonlyArray<Phrase>
}

const feeling = (phrase: Phrase): Feeling => ({
  phrase,
  denials: negations.map((negation) => phraseOf(`${negation} ${phrase.text}`))
})
const pleased = Vocabulary.positive.map(feeling)
const displeased = Vocabulary.negative.map(feeling)

/** Sums the weights of the feelings in a text. A stated feeling counts `uttered`, a negated one counts `denied`. */
const weigh = (words: WordIndex, feelings: ReadonlyArray<Feeling>, uttered: number, denied: number): number => {
  let sum = 0
  for (const { phrase, denials } of feelings) {
    if (hasPhrase(words, phrase)) sum += countPhrases(words, denials) > 0 ? denied : uttered
  }
  return sum
}

const sentimentOf = (words: WordIndex): Sentiment => {
  // Negative feelings have double weight, because complaints often end with thanks.
  const sum = weigh(words, pleased, 1, -1) + weigh(words, displeased, -2, 1)
  return sum > 0 ? "positive" : sum < 0 ? "negative" : "neutral"
}

/** Classifies a message by the English word lists. `text` is the text without the subject. */
export const classifyByWordLists = (text: string, subject: string | null) => {
  const words = indexWords(`${subject ?? ""}\n${text}`)
  return { ...intentOf(words), urgency: urgencyOf(words, text), sentiment: sentimentOf(words) }
}
