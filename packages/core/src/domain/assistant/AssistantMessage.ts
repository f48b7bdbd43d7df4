import type { AssistantCall, ToolCall } from "./ToolCall.ts"

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
