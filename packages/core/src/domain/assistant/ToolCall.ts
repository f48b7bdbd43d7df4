import { Data } from "effect"

/** What a voice assistant can have done. */
export const toolNames = ["lookup_contact", "create_lead", "book_callback"] as const

/** One of the tools. */
export type ToolName = (typeof toolNames)[number]

/** Most characters of an id of a platform's that are kept: theirs have some dozens, and no index takes any number. */
export const maxIdLength = 200

/** The call during which a tool is asked for. */
export interface AssistantCall {
  /** Whose assistant it is: `vapi`, `retell`. */
  readonly platform: string
  /** Its own id of the call; null when it says none. */
  readonly callId: string | null
  readonly direction: "inbound" | "outbound"
  /** The number of the person on the line as the network tells it, not normalised; null: hidden, or no telephone. */
  readonly number: string | null
}

/** One request of an assistant. */
export interface ToolCall {
  /** Tells a repetition from a new request. */
  readonly answerId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A value that an assistant can read. */
export type Fact = string | number | boolean | null

/** What an assistant is told: a line that can be spoken, and the same as data. Of people only what they may hear. */
export interface ToolAnswer {
  readonly text: string
  readonly facts: Readonly<Record<string, Fact>>
}

/** What was asked for cannot be done; `reason` says to the assistant what is missing. */
export class ToolRefused extends Data.TaggedError("ToolRefused")<{ readonly reason: string }> {}

/** Longest line that is spoken, characters. */
const maxLineLength = 1_000

/** One line: assistants break off at a line break. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxLineLength)
    .toWellFormed()

/** An answer of one line. */
export const said = (text: string, facts: ToolAnswer["facts"] = {}): ToolAnswer => ({ text: oneLine(text), facts })

/** Longest text that an argument may be, characters. */
const maxArgumentLength = 4_000

/** The first of these arguments that says something; language models send texts, and now and then numbers. */
export const argument = (args: ToolCall["args"], ...names: ReadonlyArray<string>): string | null => {
  for (const name of names) {
    const { [name]: value } = args
    const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : ""
    const line = text.slice(0, maxArgumentLength).toWellFormed().trim()
    // What models put where they know nothing.
    if (line !== "" && !/^(?:null|none|n\/a|unknown|undefined)$/iu.test(line)) return line
  }
  return null
}

/** A call that an assistant has held, as its platform tells of it when it is over. Times are epoch milliseconds. */
export interface AssistantReport {
  readonly call: AssistantCall & { readonly callId: string }
  /** The number of ours that was called, or that the assistant called from; null when it is not told. */
  readonly ownNumber: string | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** What was said, line by line; empty: it is not told. */
  readonly transcript: string
  /** What the platform makes of it; null: nothing. */
  readonly summary: string | null
}

/** What comes from a voice assistant. */
export type AssistantMessage =
  | { readonly _tag: "ToolCalls"; readonly call: AssistantCall; readonly tools: ReadonlyArray<ToolCall> }
  | { readonly _tag: "CallEnded"; readonly report: AssistantReport }
  /** Nothing follows from it. */
  | { readonly _tag: "Ignored"; readonly type: string }
