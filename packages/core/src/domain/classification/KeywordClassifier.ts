import type { Classification } from "./Classification.ts"
import { classifyByLexicon } from "./lexicon/LexiconClassifier.ts"
import { classifyByWordLists } from "./WordListClassifier.ts"

/**
 * The version of the built-in classifier that decides new messages. A run stores it with its inputs, because its replay
 * must classify as the run did. A change of a word list or of the code that changes a result needs a new version, as
 * soon as a release has stored runs with this one.
 */
export const keywordsVersion = 2

const summaryLength = 140

/** The input of a classifier. */
export interface ClassifierInput {
  readonly text: string
  readonly subject: string | null
}

/**
 * Returns the first sentence of more than three words; without one, the subject; without a subject, the whole text.
 * Shortens the result at a word boundary.
 */
const summaryOf = ({ text, subject }: ClassifierInput): string => {
  const sentences = text.slice(0, 4_000).split(/(?<=[.!?])\s+|\n+/u)
  const telling = sentences.find((sentence) => sentence.trim().split(/\s+/u).length > 3)
  const line = (telling ?? subject ?? text).slice(0, 1_000).replace(/\s+/gu, " ").trim()
  if (line.length <= summaryLength) return line
  return `${line
    .slice(0, summaryLength - 1)
    .replace(/\s+\S*$/u, "")
    .replace(/\p{Cs}$/u, "")}…`
}

/**
 * Classifies a message with the built-in classifier. It looks phrases up in lists, makes no requests, and is
 * deterministic. Its limits:
 *
 * - English, German, French, Spanish and Italian. Other languages give `other` with low confidence.
 * - No grammar, except a negation near a phrase of the same clause.
 * - One intent per message: the intent with the most weight.
 * - No implied meaning.
 *
 * Version 1 knows only English and negates only feelings. `docs/reference/classifier.md` states how often each version
 * is right.
 */
export const classifyByKeywords = (input: ClassifierInput, version: number = keywordsVersion): Classification => {
  const classify = version === 1 ? classifyByWordLists : classifyByLexicon
  return { ...classify(input.text, input.subject), summary: summaryOf(input) }
}
