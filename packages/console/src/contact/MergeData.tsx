import type { MergeSuggestion } from "@leadloom/client"
import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { refreshRows } from "../app/RowCache.ts"
import { rowsOptions } from "../app/Rows.tsx"
import { noticeFailure, noticeSuccess, noticeUndo } from "../component/Notices.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { contactListsKey, contactOptions, refreshContact } from "./ContactData.ts"

const texts = contactText.merges

/** The seconds in which the notice offers to undo a merge. The page of the contact offers it later too. */
const undoSeconds = 15

/** A contact page searches this many of the newest suggestions for its contact. */
const searchedSuggestions = 100

const suggestionsKey = (tenantId: string) => [tenantId, "merge-suggestions"] as const

/** The request of the suggestions, newest first. */
export const suggestionsOptions = ({ client, tenantId }: Connection) =>
  rowsOptions<MergeSuggestion>(suggestionsKey(tenantId), async (cursor, signal) => {
    const page = await client.contactMerges.suggestions(tenantId, { cursor, limit: searchedSuggestions, signal })
    return { rows: page.suggestions, next: page.next_cursor }
  })

/** Reads everything again that a merge changes. */
export const refreshMerged = async (
  queries: QueryClient,
  connection: Connection,
  contactIds: ReadonlyArray<string>
): Promise<void> => {
  const { tenantId } = connection
  await Promise.all([
    refreshRows(queries, suggestionsKey(tenantId)),
    refreshRows(queries, contactListsKey(tenantId)),
    ...contactIds.map((contactId) => refreshContact(queries, connection, contactId))
  ])
}

interface UndoOptions {
  readonly mergeId: string
  readonly contactIds: ReadonlyArray<string>
}

/** Returns the function that undoes a merge and shows both contacts again. */
const useUndo = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  return async ({ contactIds, mergeId }: UndoOptions): Promise<void> => {
    await connection.client.contactMerges.undo(connection.tenantId, mergeId)
    await refreshMerged(queries, connection, contactIds)
    noticeSuccess(texts.undone)
  }
}

/** Returns the action that undoes a merge. */
export const useUndoMerge = () => useAction(useUndo())

/** Two contacts who are one person. */
interface Pair {
  readonly primaryId: string
  readonly duplicateId: string
  /** The name of the contact that remains. */
  readonly name: string
}

/** A merge that has taken place. */
interface Merged extends Pair {
  readonly mergeId: string
}

/**
 * Returns the function that merges two contacts, and the one that shows the result. The page of the merged contact is replaced by
 * the one that remains.
 */
export const useMerge = () => {
  const queries = useQueryClient()
  const connection = useConnection()
  const navigate = useNavigate()
  const undo = useUndo()
  const { contactId: shownId } = useParams({ strict: false })
  const send = async (pair: Pair): Promise<Merged> => {
    const { merge_id: mergeId } = await connection.client.contactMerges.merge(connection.tenantId, {
      primary_contact_id: pair.primaryId,
      duplicate_contact_id: pair.duplicateId
    })
    return { ...pair, mergeId }
  }
  const onDone = async ({ duplicateId, mergeId, name, primaryId }: Merged): Promise<void> => {
    const contactIds = [primaryId, duplicateId]
    noticeUndo(
      texts.merged(name),
      undoSeconds,
      () =>
        void undo({ mergeId, contactIds }).catch((error: Error) => noticeFailure(text.notSaved(problemText(error)))),
      <Link to="/contacts/$contactId" params={{ contactId: primaryId }}>
        {texts.open}
      </Link>
    )
    if (shownId === duplicateId) {
      await navigate({ to: "/contacts/$contactId", params: { contactId: primaryId }, search: { tab: "merges" } })
    }
    // The merged contact has no page until the merge is undone.
    queries.removeQueries({ queryKey: contactOptions(connection, duplicateId).queryKey, type: "inactive" })
    await refreshMerged(queries, connection, [primaryId])
  }
  return { send, onDone }
}
