import { unparsedReasonOf } from "../conversation/UnparsedMail.ts"
import type { Classification } from "../classification/Classification.ts"
import { classifyByKeywords } from "../classification/KeywordClassifier.ts"
import { type Score, scoreMessage } from "../lead/Score.ts"
import type { Cause } from "../reason/Reason.ts"
import type { Recordings } from "./Recordings.ts"
import type { RunSubject } from "./RunSubject.ts"

/**
 * A classification, or null, with its reason. The reason `model_not_called` means that the caller must ask the model
 * first.
 */
interface Classified {
  readonly classification: Classification | null
  readonly reason: Cause
}

/** A message with its classification and score. */
export interface Assessed extends Classified {
  readonly score: Score
}

const byModel = ({ message, modelConfigured }: RunSubject, recorded: Recordings["classification"]): Cause => {
  if (unparsedReasonOf(message) !== null) return { code: "unparsed_not_classified" }
  if (message.auto !== null) return { code: "automatic_not_classified", auto: message.auto }
  if (recorded?.outcome === "answered") return { code: "classified_by_model", model: recorded.use.model }
  if (recorded?.outcome === "failed") return { code: "model_failed", detail: recorded.reason }
  if (recorded !== null) return recorded.reason
  return { code: modelConfigured ? "model_not_called" : "model_not_configured" }
}

/**
 * Returns the classification of a message, or null, with its reason. The reason `model_not_called` means that the
 * caller must ask the model first.
 */
const classify = (subject: RunSubject, recorded: Recordings["classification"]): Classified => {
  const { keywordsVersion = 1, message, tenant } = subject
  switch (tenant.config.classifier) {
    case "off":
      return { classification: null, reason: { code: "classifier_off" } }
    case "keywords":
      return {
        classification: classifyByKeywords({ text: message.body, subject: message.subject }, keywordsVersion),
        reason: { code: "classified_by_keywords" }
      }
    case "model": {
      const reason = byModel(subject, recorded)
      const isByModel = reason.code === "classified_by_model" && recorded?.outcome === "answered"
      return { classification: isByModel ? recorded.value : null, reason }
    }
  }
}

const scoreOf = (
  { contact, contactIsNew, message, tenant }: RunSubject,
  classification: Classification | null
): Score =>
  scoreMessage(
    {
      text: message.body,
      subject: message.subject,
      channel: message.channel,
      auto: message.auto !== null,
      hasName: contact.name !== null,
      hasEmail: contact.email !== null,
      hasPhone: contact.phone !== null,
      returning: !contactIsNew,
      classification
    },
    tenant.config.thresholds,
    tenant.config.scoreWeights
  )

/**
 * Classifies and scores one message. `recorded` is the recorded answer of the classifying model; null if there is none.
 */
export const assessMessage = (subject: RunSubject, recorded: Recordings["classification"]): Assessed => {
  const classified = classify(subject, recorded)
  return { ...classified, score: scoreOf(subject, classified.classification) }
}

/** Classifies and scores one message without asking a model. `known` is an earlier classification by a model. */
export const assessWithoutModel = (
  subject: RunSubject,
  known: Classification | null = null
): Pick<Assessed, "classification" | "score"> => {
  const classification = subject.tenant.config.classifier === "model" ? known : classify(subject, null).classification
  return { classification, score: scoreOf(subject, classification) }
}
