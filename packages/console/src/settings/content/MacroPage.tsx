import type { Macro } from "@leadloom/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { useMay } from "../../app/Permissions.ts"
import { noticeSuccess } from "../../component/Notices.tsx"
import { Page, Section } from "../../component/Page.tsx"
import { ActionList } from "../../form/ActionList.tsx"
import { Rejection } from "../../form/Rejection.tsx"
import { Unsaved } from "../../form/Unsaved.tsx"
import { actionText } from "../../text/Actions.ts"
import { contentText } from "../../text/Content.ts"
import { text } from "../../text/Shared.ts"

const { macros: shown } = contentText

/** The actions with a form. `reply`, `suppress_reply` and `stop` need a message, so that macros cannot contain them. */
const types = [
  "assign",
  "tag",
  "create_task",
  "transition",
  "notify",
  "close_conversation",
  "snooze_conversation",
  "start_sequence",
  "stop_sequence"
] as const

interface StepsProps {
  readonly macro: Macro
  readonly onSaved: () => void
}

/** The form of the steps. It is sent as a whole, so that the order is saved too. */
const StepForm = ({ macro, onSaved }: StepsProps) => {
  const { client, tenantId } = useConnection()
  const [actions, setActions] = useState(macro.actions)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.macros.update(tenantId, macro.id, { actions }),
    onSuccess: () => {
      noticeSuccess(text.saved)
      onSaved()
    }
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit}>
      <Unsaved isChanged={actions !== macro.actions} />
      <ActionList actions={actions} types={types} elsewhere={shown.elsewhere} onChange={setActions} />
      {error === null ? null : <Rejection error={error} />}
      <p>
        <button type="submit" disabled={isPending || actions === macro.actions}>
          {text.save}
        </button>
      </p>
    </form>
  )
}

const StepList = ({ macro: { actions } }: { readonly macro: Macro }) => (
  <ol>
    {[...actions.entries()].map(([position, action]) => (
      <li key={position}>{actionText(action)}</li>
    ))}
  </ol>
)

/** The steps of one macro. People without the right to change it see them as sentences. */
export const MacroPage = ({ macroId }: { readonly macroId: string }) => {
  const queries = useQueryClient()
  const { client, tenantId } = useConnection()
  const mayUpdate = useMay("macros.update")
  const macro = useQuery({
    queryKey: [tenantId, "macros", "settings", macroId],
    queryFn: ({ signal }) => client.macros.get(tenantId, macroId, { signal })
  })
  const onSaved = () => void queries.invalidateQueries({ queryKey: [tenantId, "macros"] })
  return (
    <Page title={macro.data === undefined ? shown.macro : shown.named(macro.data.name)}>
      <Section title={shown.actions}>
        <Loaded query={macro}>
          {(data) =>
            mayUpdate ? <StepForm key={data.updated_at} macro={data} onSaved={onSaved} /> : <StepList macro={data} />
          }
        </Loaded>
      </Section>
    </Page>
  )
}
