import { useCallback, useSyncExternalStore } from "react"

/** What a person has changed in a reply that waits for approval. */
export interface DraftEdit {
  /** Null: the text of the pipeline. */
  readonly body: string | null
  /** The subject of the first email to the contact. */
  readonly subject: string
}

/** The edits of more drafts than this are not kept. */
const maxEdits = 50

const unchanged: DraftEdit = { body: null, subject: "" }
const edits = new Map<string, DraftEdit>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Discards the edit of a draft. */
export const forgetEdit = (draftId: string): void => {
  edits.delete(draftId)
  for (const listener of listeners) listener()
}

const keep = (draftId: string, edit: DraftEdit): void => {
  edits.delete(draftId)
  edits.set(draftId, edit)
  const [oldest] = edits.keys()
  if (edits.size > maxEdits && oldest !== undefined) edits.delete(oldest)
  for (const listener of listeners) listener()
}

/**
 * Returns the edit of a draft and the function that changes it. This tab keeps it while other conversations are open, and
 * after an approval, which can be undone.
 */
export const useDraftEdit = (draftId: string): readonly [DraftEdit, (changes: Partial<DraftEdit>) => void] => {
  const edit = useSyncExternalStore(subscribe, () => edits.get(draftId) ?? unchanged)
  const change = useCallback(
    (changes: Partial<DraftEdit>) => keep(draftId, { ...(edits.get(draftId) ?? unchanged), ...changes }),
    [draftId]
  )
  return [edit, change]
}
