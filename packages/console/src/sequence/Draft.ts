import { isLeadloomError, type Sequence } from "@leadloom/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { noticeSuccess } from "../component/Notices.tsx"
import { editorText } from "../text/sequence/Editor.ts"
import { changesOf, fieldsOf, rebased, type SequenceFields, textOfFields } from "./Fields.ts"
import { sequenceOptions } from "./SequenceData.ts"

/** The edited fields, and the version from which the edit started. */
export interface Draft {
  readonly base: Sequence
  readonly fields: SequenceFields
  readonly isChanged: boolean
  readonly isSaving: boolean
  /** Why the server rejected the fields; null: it did not. */
  readonly error: Error | null
  /** The newer version that another person has saved; null: none. */
  readonly conflict: Sequence | null
  readonly change: (fields: SequenceFields) => void
  readonly save: (migrate: boolean) => void
  /** Continues with the fields of this version. */
  readonly restart: (saved: Sequence) => void
  /** Continues with the edited fields on a newer version. */
  readonly rebase: (newer: Sequence) => void
}

const isConflict = (error: unknown): boolean => isLeadloomError(error, "PRECONDITION_FAILED")

/** Keeps the edited fields. A save that another person has preceded changes nothing and keeps the edit. */
export const useDraft = (stored: Sequence): Draft => {
  const connection = useConnection()
  const queries = useQueryClient()
  const [base, setBase] = useState(stored)
  const [fields, setFields] = useState(() => fieldsOf(stored))
  const [conflict, setConflict] = useState<Sequence | null>(null)
  const { client, tenantId } = connection
  const { queryKey } = sequenceOptions(connection, stored.id)
  const restart = (saved: Sequence): void => {
    queries.setQueryData(queryKey, saved)
    setBase(saved)
    setFields(fieldsOf(saved))
    setConflict(null)
  }
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: (migrate: boolean) => {
      const body = { ...changesOf(base, fields), ...(migrate ? { migrate } : {}) }
      return client.sequences.update(tenantId, base.id, body, { ifMatch: base.version })
    },
    onSuccess: (saved) => {
      restart(saved)
      noticeSuccess(editorText.saved(saved.version))
    },
    onError: async (reason) => {
      if (isConflict(reason)) setConflict(await client.sequences.get(tenantId, base.id))
    }
  })
  return {
    base,
    fields,
    isChanged: textOfFields(fields) !== textOfFields(base),
    isSaving: isPending,
    error: isConflict(error) ? null : error,
    conflict,
    change: (next) => {
      reset()
      setFields(next)
    },
    save: mutate,
    restart,
    rebase: (newer) => {
      queries.setQueryData(queryKey, newer)
      setFields(rebased(base, fields, newer))
      setBase(newer)
      setConflict(null)
    }
  }
}
