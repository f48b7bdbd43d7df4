import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { useMay } from "../app/Permissions.ts"
import { problemText } from "../app/Problem.ts"
import { noticeFailure } from "../component/Notices.tsx"
import { type Choice, Palette } from "../dialog/Palette.tsx"
import { cannedText } from "../text/dialog/Canned.ts"
import { text } from "../text/Shared.ts"

interface PickerProps {
  readonly contactId: string
  readonly channel: string
  readonly onInsert: (text: string, subject: string | null) => void
  readonly onClose: () => void
}

/** Returns the text of a template for a list, with dots in the place of its variables. */
const withoutVariables = (template: string): string =>
  template.replaceAll(/\{%[^%]*%\}/gu, "").replaceAll(/\{\{[^}]*\}\}/gu, "…")

/** Says that no reply fits, and where the person creates one. */
const NoReply = ({ isSearch }: { readonly isSearch: boolean }) => (
  <>
    {isSearch ? cannedText.noMatch : cannedText.none}{" "}
    {useMay("cannedReplies.create") ? (
      <Link to="/settings/$noun" params={{ noun: "canned-replies" }}>
        {cannedText.create}
      </Link>
    ) : null}
  </>
)

/** Inserts a canned reply with the values of the contact. The server renders it and counts the use. */
export const CannedReplies = ({ channel, contactId, onClose, onInsert }: PickerProps) => {
  const { client, tenantId } = useConnection()
  const [typed, setTyped] = useState("")
  const q = typed.trim() === "" ? undefined : typed.trim()
  const replies = useQuery({
    queryKey: [tenantId, "canned-replies", q],
    queryFn: ({ signal }) => client.cannedReplies.list(tenantId, { q, signal }),
    placeholderData: keepPreviousData,
    // Colleagues change the replies, and no event reports it.
    gcTime: 0
  })
  const insert = async (id: string): Promise<void> => {
    try {
      const {
        missing,
        subject,
        text: reply
      } = await client.cannedReplies.render(tenantId, id, { contact_id: contactId })
      onInsert(reply, subject)
      if (missing.length > 0) noticeFailure(cannedText.missing(missing.join(", ")))
    } catch (error) {
      noticeFailure(cannedText.failed(problemText(error)))
    }
  }
  const fitting = (replies.data?.canned_replies ?? []).filter(
    ({ channels }) => channels.length === 0 || channels.some((one) => one === channel)
  )
  const choices = fitting.map(({ body, id, name, shortcut }): Choice => ({
    label: shortcut === null ? name : `${name} /${shortcut}`,
    hint: withoutVariables(body).slice(0, 60),
    pick: () => void insert(id)
  }))
  return (
    <Palette
      title={text.cannedReplies}
      hint={cannedText.hint}
      none={<NoReply isSearch={q !== undefined} />}
      choices={choices}
      onQuery={setTyped}
      onClose={onClose}
    />
  )
}
