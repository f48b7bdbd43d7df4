import { type AgentDraft, isLeadloomError } from "@leadloom/client"
import type { Connection } from "../app/Connection.ts"

/** The channels on which a person can write. */
export type WritingChannel = AgentDraft["channel"]

/** Whether the server has the text. `changed`: another person has changed the draft. */
export type DraftState = "empty" | "saving" | "saved" | "unsaved" | "changed"

/** The pause in typing after which the server stores the draft, in milliseconds. */
const pauseMillis = 800

/** Keeps the text of one draft on the server. */
export interface DraftKeeper {
  /** Stores the text after a pause. */
  readonly write: (body: string) => void
  /** Stores the text now. Returns the stored draft; null if the text is empty. */
  readonly flush: () => Promise<AgentDraft | null>
}

/** The draft that a keeper continues. */
export interface DraftPlace {
  readonly contactId: string
  readonly channel: WritingChannel
  readonly stored: AgentDraft | null
}

/** Creates the keeper of a draft. Its requests run one after the other, because each names the version it replaces. */
export const createDraftKeeper = (
  { client, tenantId }: Connection,
  { channel, contactId, stored }: DraftPlace,
  report: (state: DraftState) => void
): DraftKeeper => {
  let draft = stored
  let body = stored?.body ?? ""
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<AgentDraft | null> = Promise.resolve(stored)

  const send = async (): Promise<AgentDraft | null> => {
    if (draft === null) {
      return body === "" ? null : await client.drafts.create(tenantId, contactId, { channel, body })
    }
    if (body !== "")
      return await client.drafts.update(tenantId, contactId, draft.draft_id, { body, version: draft.version })
    await client.drafts.remove(tenantId, contactId, draft.draft_id, { ifMatch: draft.version })
    return null
  }
  const save = async (): Promise<AgentDraft | null> => {
    if (body === (draft?.body ?? "")) return draft
    report("saving")
    try {
      draft = await send()
      report(draft === null ? "empty" : "saved")
      return draft
    } catch (error) {
      report(isLeadloomError(error, "CONFLICT", "PRECONDITION_FAILED", "NOT_FOUND") ? "changed" : "unsaved")
      throw error
    }
  }
  const flush = (): Promise<AgentDraft | null> => {
    clearTimeout(timer)
    last = last.then(save, save)
    return last
  }
  const write = (next: string): void => {
    body = next
    clearTimeout(timer)
    // `report` shows a failure. The next change or the send tries again.
    timer = setTimeout(() => void flush().catch(() => undefined), pauseMillis)
  }
  return { write, flush }
}
