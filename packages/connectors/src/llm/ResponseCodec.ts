import { visibleLine, visibleText } from "@leadloom/core/internal/domain/email/VisibleText"
import {
  Classification,
  knownIntents,
  sentiments,
  urgencies
} from "@leadloom/core/internal/domain/classification/Classification"
import { maxReplyLength } from "@leadloom/core/internal/workflow/reply/Prompt"
import { Option, Schema } from "effect"

/** A response format requested from models. */
export interface ResponseCodec<A> {
  readonly name: string
  /** The JSON schema within the strict subset: no optional or additional properties, no numeric limits. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly temperature: number
  /** Decodes the response, or describes its error for the model. */
  readonly read: (json: unknown) => { readonly value: A } | { readonly wrong: string }
}

const objectOf = (properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

const maxSummaryLength = 500
const oneWord = /^[a-z][a-z_-]{0,31}$/u
const decodeClassification = Schema.decodeUnknownOption(Classification)

/** The response format for the classification of a message. */
export const classificationForm: ResponseCodec<Classification> = {
  name: "classification",
  schema: objectOf({
    intent: { type: "string", description: `One of ${knownIntents.join(", ")}, or another lower-case word` },
    urgency: { type: "string", enum: urgencies },
    sentiment: { type: "string", enum: sentiments },
    summary: { type: "string", description: "One or two sentences" },
    confidence: { type: "number", description: "From 0 to 1" }
  }),
  temperature: 0,
  read: (json) => {
    const classification = Option.getOrNull(decodeClassification(json))
    if (classification === null) return { wrong: "a field is missing or has a value of the wrong type" }
    const intent = classification.intent.trim().toLowerCase()
    if (!oneWord.test(intent)) return { wrong: "the intent is not a single lower-case word" }
    const summary = visibleLine(classification.summary).slice(0, maxSummaryLength).toWellFormed()
    return { value: { ...classification, intent, summary } }
  }
}

const decodeReply = Schema.decodeUnknownOption(Schema.Struct({ text: Schema.String }))

/** The response format for the text of a reply. */
export const replyForm: ResponseCodec<string> = {
  name: "reply",
  schema: objectOf({ text: { type: "string", description: `The reply, at most ${maxReplyLength} characters` } }),
  temperature: 0.3,
  read: (json) => {
    const text = visibleText(Option.getOrNull(decodeReply(json))?.text ?? "").trim()
    if (text === "") return { wrong: "there is no text" }
    if (text.length > maxReplyLength) return { wrong: `the text is longer than ${maxReplyLength} characters` }
    return { value: text }
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Extracts the JSON from a response. Reasoning, code fences and surrounding text are removed, because some servers
 * return plain text.
 */
export const jsonIn = (answer: string): unknown => {
  const [text = ""] = answer.split("</think>").slice(-1)
  const whole = parsed(text.trim())
  return whole === undefined ? parsed(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) : whole
}
