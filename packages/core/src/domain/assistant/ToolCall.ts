// Voice assistants: their tool calls, and the times that callers say. The formats of the platforms do not belong here
// (`packages/connectors/src/assistant`). Tests: `packages/core/test/domain/assistant`.

import { TaggedError } from "../TaggedError.ts"

/** The tools of a voice assistant. */
export const toolNames = ["lookup_contact", "create_lead", "book_callback"] as const

export type ToolName = (typeof toolNames)[number]

/**
 * The maximum stored length of a platform's id, in characters. Real ids have a few dozen characters. The limit bounds
 * the size of index entries.
 */
export const maxIdLength = 200

/** The call in which the assistant calls a tool. */
export interface AssistantCall {
  /** The platform of the assistant: `vapi` or `retell`. */
  readonly platform: string
  /** The platform's id of the call; null if the request has none. */
  readonly callId: string | null
  readonly direction: "inbound" | "outbound"
  /**
   * The caller's number as the network reports it, not normalised. Null if the number is hidden, or if the call is not
   * a telephone call.
   */
  readonly number: string | null
}

/** One tool call of an assistant. */
export interface ToolCall {
  /** The id of the tool answer. A repeated request has the same id, so it gets the same answer. */
  readonly answerId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A value in the data of a tool answer. */
export type Fact = string | number | boolean | null

/**
 * The answer to a tool call: one line to speak, and the same content as data. An answer contains only personal data
 * that the person on the telephone may hear.
 */
export interface ToolAnswer {
  readonly text: string
  readonly facts: Readonly<Record<string, Fact>>
}

/** The tool cannot do what the assistant requested. `reason` tells the assistant what is missing. */
export class ToolRefused extends TaggedError("ToolRefused")<{ readonly reason: string }> {}

/** In characters. */
const maxLineLength = 1_000

/** Joins the lines of a text into one line, because assistants stop reading at a line break. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxLineLength)
    .toWellFormed()

/** Creates an answer of one line. */
export const said = (text: string, facts: ToolAnswer["facts"] = {}): ToolAnswer => ({ text: oneLine(text), facts })

/** In characters. */
const maxArgumentLength = 4_000

/**
 * Returns the value of the first of these arguments that has content, as text. Language models sometimes send numbers
 * instead of text.
 */
export const argument = (args: ToolCall["args"], ...names: ReadonlyArray<string>): string | null => {
  for (const name of names) {
    const { [name]: value } = args
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
    const line = text.slice(0, maxArgumentLength).toWellFormed().trim()
    // Language models write these words into arguments whose value they do not know.
    if (line !== "" && !/^(?:null|none|n\/a|unknown|undefined)$/iu.test(line)) return line
  }
  return null
}

/** The platform's report of a finished call. Times are epoch milliseconds. */
export interface AssistantReport {
  readonly call: AssistantCall & { readonly callId: string }
  /** The tenant's number in the call; null if the platform does not report it. */
  readonly ownNumber: string | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** The transcript, line by line. Empty if the platform sends none. */
  readonly transcript: string
  /** The platform's summary; null if it sends none. */
  readonly summary: string | null
}

/** A message from the platform of a voice assistant. */
export type AssistantMessage =
  | { readonly _tag: "ToolCalls"; readonly call: AssistantCall; readonly tools: ReadonlyArray<ToolCall> }
  | { readonly _tag: "CallEnded"; readonly report: AssistantReport }
  /** A message that has no effect. */
  | { readonly _tag: "Ignored"; readonly type: string }
