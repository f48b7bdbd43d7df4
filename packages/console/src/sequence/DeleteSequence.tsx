import type { Sequence } from "@leadloom/client"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { noticeSuccess } from "../component/Notices.tsx"
import { Confirm } from "../dialog/Confirm.tsx"
import { editorText } from "../text/sequence/Editor.ts"

/** Deletes a sequence after a confirmation. */
export const DeleteSequence = ({ sequence }: { readonly sequence: Sequence }) => {
  const { client, tenantId } = useConnection()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const [remove] = useAction(() => client.sequences.delete(tenantId, sequence.id), {
    onSuccess: () => {
      noticeSuccess(editorText.deleted)
      return navigate({ to: "/sequences" })
    }
  })
  if (!useMay("sequences.delete")) return null
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {editorText.delete}
      </button>
      {isAsking ? (
        <Confirm
          title={editorText.delete}
          message={editorText.deleteMessage}
          action={editorText.delete}
          onConfirm={() => remove(undefined)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
