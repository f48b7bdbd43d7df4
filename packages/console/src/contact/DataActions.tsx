import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { saveDownload } from "../app/SaveDownload.ts"
import { Confirm } from "../dialog/Confirm.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { contactText } from "../text/Contact.ts"

interface DataActionsProps {
  readonly contactId: string
  readonly name: string
}

const Export = ({ contactId, name }: DataActionsProps) => {
  const { client, tenantId } = useConnection()
  const [save, isSaving] = useAction(async () =>
    saveDownload(await client.dataRights.exportContact(tenantId, contactId), `${name}.tar`)
  )
  return (
    <button type="button" disabled={isSaving} onClick={() => save(undefined)}>
      {contactText.data.export}
    </button>
  )
}

const Erase = ({ contactId, name }: DataActionsProps) => {
  const [isAsking, setAsking] = useState(false)
  const { client, tenantId } = useConnection()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [erase] = useAction(() => client.dataRights.erase(tenantId, contactId, { confirm: contactId }), {
    onSuccess: async () => {
      noticeSuccess(contactText.data.erased)
      await navigate({ to: "/contacts", search: {} })
      // Any list may contain the contact or a record of it.
      await queries.resetQueries()
    }
  })
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {contactText.data.erase}
      </button>
      {isAsking ? (
        <Confirm
          title={contactText.data.eraseTitle}
          message={contactText.data.eraseMessage}
          typed={name}
          action={contactText.data.erase}
          onConfirm={() => erase(undefined)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

/** Exports and erases all data of a contact. */
export const DataActions = (props: DataActionsProps) => (
  <>
    {useMay("dataRights.exportContact") ? <Export {...props} /> : null}
    {useMay("dataRights.erase") ? <Erase {...props} /> : null}
  </>
)
