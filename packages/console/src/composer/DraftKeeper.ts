/**
 * The composer: replies, private notes, and everything that a person adds to them. The messages of a conversation belong
 * in `conversation`. Tests: `packages/console/test/Composer.test.ts`.
 */
import { type AgentDraft, isLeadloomError } from "@leadloom/client"
import type { Connection } from "../app/Connection.ts"
import { contentOf, type DraftContent, emptyContent, fieldsOf, isEmpty, type WritingChannel } from "./DraftContent.ts"

/** Whether the server has the content. `changed`: another person has changed the draft. */
export type DraftState = "empty" | "saving" | "saved" | "unsaved" | "changed"

/** The pause in typing after which the server stores the draft, in milliseconds. */
const pauseMillis = 800

/** The content of a draft, and whether the server has it. */
export interface KeptDraft {
  readonly content: DraftContent
  readonly state: DraftState
}

/** Keeps the content of one draft in this tab and on the server. */
export interface DraftKeeper {
  readonly read: () => KeptDraft
  readonly subscribe: (listener: () => void) => () => void
  /** Changes the content, and stores it after a pause. */
  readonly write: (changes: Partial<DraftContent>) => void
  /** Stores the content now. Returns the stored draft; null if the content is empty. */
  readonly flush: () => Promise<AgentDraft | null>
  /** Empties the draft after it has become a message. */
  readonly clear: () => void
}

/** The draft that a keeper continues. */
export interface DraftPlace {
  readonly contactId: string
  readonly channel: WritingChannel
  readonly stored: AgentDraft | null
}

/** Returns the functions that store content on the server. */
const storeOf = ({ client, tenantId }: Connection, { channel, contactId }: DraftPlace) => {
  const remove = (draft: AgentDraft): Promise<unknown> =>
    client.drafts.remove(tenantId, contactId, draft.draft_id, { ifMatch: draft.version })
  const create = (content: DraftContent): Promise<AgentDraft> =>
    client.drafts.create(tenantId, contactId, { channel, ...fieldsOf(content, channel) })
  return async (draft: AgentDraft | null, content: DraftContent): Promise<AgentDraft | null> => {
    if (draft === null) return isEmpty(content) ? null : await create(content)
    // A change cannot remove a subject or a sender, so a new draft replaces the stored one.
    const drops = (draft.subject !== null && content.subject === "") || (draft.from !== null && content.from === "")
    if (isEmpty(content) || drops) {
      await remove(draft)
      return isEmpty(content) ? null : await create(content)
    }
    const changes = { ...fieldsOf(content, channel), version: draft.version }
    return await client.drafts.update(tenantId, contactId, draft.draft_id, changes)
  }
}

/** Creates the keeper of a draft. Its requests run one after the other, because each names the version it replaces. */
const createDraftKeeper = (connection: Connection, place: DraftPlace): DraftKeeper => {
  const store = storeOf(connection, place)
  const listeners = new Set<() => void>()
  let draft = place.stored
  let kept: KeptDraft =
    draft === null ? { content: emptyContent, state: "empty" } : { content: contentOf(draft), state: "saved" }
  let stored = kept.content
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<AgentDraft | null> = Promise.resolve(draft)

  const show = (changed: Partial<KeptDraft>): void => {
    kept = { ...kept, ...changed }
    for (const listener of listeners) listener()
  }
  const save = async (): Promise<AgentDraft | null> => {
    const { content } = kept
    if (content === stored || (draft === null && isEmpty(content))) return draft
    show({ state: "saving" })
    try {
      draft = await store(draft, content)
      stored = content
      show({ state: draft === null ? "empty" : "saved" })
      return draft
    } catch (error) {
      const isChanged = isLeadloomError(error, "CONFLICT", "PRECONDITION_FAILED", "NOT_FOUND")
      // The other person's version stays. The next save stores this text as a separate draft.
      if (isChanged) draft = null
      show({ state: isChanged ? "changed" : "unsaved" })
      throw error
    }
  }
  const flush = (): Promise<AgentDraft | null> => {
    clearTimeout(timer)
    last = last.then(save, save)
    return last
  }
  return {
    read: () => kept,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    write: (changes) => {
      show({ content: { ...kept.content, ...changes } })
      clearTimeout(timer)
      // The state shows a failure. The next change or the send tries again.
      timer = setTimeout(() => void flush().catch(() => undefined), pauseMillis)
    },
    flush,
    clear: () => {
      draft = null
      stored = emptyContent
      show({ content: emptyContent, state: "empty" })
    }
  }
}

const keepers = new Map<string, DraftKeeper>()

const keyOf = ({ tenantId }: Connection, { channel, contactId }: Pick<DraftPlace, "channel" | "contactId">): string =>
  [tenantId, contactId, channel].join(" ")

const isKeptHere = ({ state }: KeptDraft): boolean => state === "unsaved" || state === "changed" || state === "saving"

/**
 * Returns the keeper of a contact and a channel. It starts with the draft of the server, unless this tab has content that
 * the server does not have.
 */
export const openKeeper = (connection: Connection, place: DraftPlace): DraftKeeper => {
  const key = keyOf(connection, place)
  const known = keepers.get(key)
  if (known !== undefined && isKeptHere(known.read())) return known
  const keeper = createDraftKeeper(connection, place)
  keepers.set(key, keeper)
  return keeper
}

/** Returns the current keeper of a contact and a channel; null if this tab has not opened it. */
export const currentKeeper = (
  connection: Connection,
  place: Pick<DraftPlace, "channel" | "contactId">
): DraftKeeper | null => keepers.get(keyOf(connection, place)) ?? null
